const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether PostgreSQL's `uuid` takes the string in its usual form; another one names nothing that is stored. */
export function isUuid(value: string): boolean {
  return UUID.test(value)
}

/** The sixteen bytes of a uuid, from byte `at` on, in its usual form. */
export function readUuid(from: Uint8Array, at = 0): string {
  return formatUuid(Buffer.from(from.buffer, from.byteOffset + at, 16).toString('hex'))
}

/** The sixteen bytes of a uuid in its usual form. */
export function uuidBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex')
}

/** A uuid of 32 hexadecimal digits in its usual form. */
export function formatUuid(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
