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

/** Writes the sixteen bytes of a uuid in its usual form: many a second, so without a string or buffer between. */
export function writeUuid(uuid: string, into: Uint8Array, at: number): void {
  for (let byte = 0, place = 0; byte < 16; byte++, place += 2) {
    if (uuid.charCodeAt(place) === HYPHEN) place++
    into[at + byte] = (digit(uuid.charCodeAt(place)) << 4) | digit(uuid.charCodeAt(place + 1))
  }
}

const HYPHEN = 45
/** The lower half of a digit's code is its value, of a letter's nine less. */
const digit = (code: number) => (code & 15) + (code >> 6) * 9

/** A uuid of 32 hexadecimal digits in its usual form. */
export function formatUuid(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
