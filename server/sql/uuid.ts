const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether the string is a UUID in its usual form; anything else identifies nothing that is stored. */
export function isUuid(value: string): boolean {
  return UUID.test(value)
}

/** Formats the sixteen bytes of a UUID from byte `at` on. */
export function readUuid(from: Uint8Array, at = 0): string {
  return formatUuid(Buffer.from(from.buffer, from.byteOffset + at, 16).toString('hex'))
}

/** The sixteen bytes of a UUID. */
export function uuidBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex')
}

/** A UUID in its usual form from 32 hexadecimal digits. */
export function formatUuid(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
