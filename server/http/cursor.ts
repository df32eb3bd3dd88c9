import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ListPosition } from '../sql/list-page.ts'
import { readUuid, uuidBytes } from '../sql/uuid.ts'

/** What a cursor is valid for: a list with its project, environment and filters. */
export type CursorScope = readonly (string | number | null)[]

// Layout: 1 byte form, 8 bytes signed milliseconds (or NO_DATE), 16 bytes id, 16 bytes of HMAC-SHA-256.
const FORM = 1
const NO_DATE = -(2n ** 63n)
const PAYLOAD_BYTES = 25
const MAC_BYTES = 16

/** The opaque `next_cursor`: the position, signed together with its scope. */
export function writeCursor(position: ListPosition, scope: CursorScope, secret: Uint8Array): string {
  const payload = Buffer.alloc(PAYLOAD_BYTES)
  payload.writeUInt8(FORM, 0)
  payload.writeBigInt64BE(position.at === null ? NO_DATE : BigInt(position.at.getTime()), 1)
  uuidBytes(position.id).copy(payload, 9)
  return Buffer.concat([payload, sign(payload, scope, secret)]).toString('base64url')
}

/** Reads a cursor; undefined unless this installation issued exactly this one for this scope. */
export function readCursor(cursor: string, scope: CursorScope, secret: Uint8Array): ListPosition | undefined {
  const bytes = Buffer.from(cursor, 'base64url')
  // Decoding is lenient (unused bits of the last character), so it must encode back to the same text.
  if (bytes.length !== PAYLOAD_BYTES + MAC_BYTES || bytes.toString('base64url') !== cursor) return undefined
  const payload = bytes.subarray(0, PAYLOAD_BYTES)
  if (!timingSafeEqual(bytes.subarray(PAYLOAD_BYTES), sign(payload, scope, secret))) return undefined
  const milliseconds = payload.readBigInt64BE(1)
  return { at: milliseconds === NO_DATE ? null : new Date(Number(milliseconds)), id: readUuid(payload, 9) }
}

function sign(payload: Uint8Array, scope: CursorScope, secret: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(payload).update(JSON.stringify(scope)).digest().subarray(0, MAC_BYTES)
}
