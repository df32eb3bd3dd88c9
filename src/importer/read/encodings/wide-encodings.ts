import { isUtf8 } from 'node:buffer'

export type Utf16 = 'UTF-16LE' | 'UTF-16BE'

const SAMPLE_PAIRS = 2000
/** Never in text: control and replacement characters, and U+0A00, a line break read in the wrong byte order. */
const NO_TEXT = /[^\P{Cc}\t\r\n]|[\u0a00\ufffd]/u
/** A line break, or the beginning of JSON. */
const PROOF = /^[[{]|\n/

/** Detects UTF-16 without a byte order mark: mostly Latin text, and no other, has a zero in every other byte. */
export function detectBomlessUtf16(buffer: Uint8Array): Utf16 | undefined {
  const pairs = Math.min(buffer.length >> 1, SAMPLE_PAIRS)
  if (pairs < 2) return undefined
  let even = 0
  let odd = 0
  for (let index = 0; index < pairs; index++) {
    if (buffer[2 * index] === 0) even++
    if (buffer[2 * index + 1] === 0) odd++
  }
  if (odd > pairs * 0.4 && even < pairs * 0.05) return 'UTF-16LE'
  if (even > pairs * 0.4 && odd < pairs * 0.05) return 'UTF-16BE'
  return even + odd > 0 ? utf16ByReading(buffer.subarray(0, 2 * pairs)) : undefined
}

/** In other scripts only blanks, commas and digits have zeros: the order is the only one that yields text. */
function utf16ByReading(sample: Uint8Array): Utf16 | undefined {
  if (isTextOfBytes(sample)) return undefined
  const orders = (['UTF-16LE', 'UTF-16BE'] as const).filter((order) => {
    // The sample may cut a surrogate pair.
    const text = new TextDecoder(order).decode(sample).replace(/\ufffd$/, '')
    return PROOF.test(text) && !NO_TEXT.test(text)
  })
  return orders.length === 1 ? orders[0] : undefined
}

/** Whether it is text in a single-byte encoding or UTF-8, apart from interspersed zero bytes. */
function isTextOfBytes(sample: Uint8Array): boolean {
  const bytes = sample.filter((byte) => byte !== 0)
  const controls = bytes.filter((byte) => byte < 9 || (byte > 13 && byte < 32)).length
  return controls <= bytes.length * 0.01 && isUtf8(bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1))
}

/** Detects UTF-32 by its bytes: no code point needs more than three of the four. */
export function isUtf32(buffer: Uint8Array): boolean {
  const units = Math.min(buffer.length >> 2, SAMPLE_PAIRS)
  const isCharacter = (at: number, [first, second, third, fourth]: readonly [number, number, number, number]) =>
    buffer[at + first] === 0 &&
    (buffer[at + second] ?? 0xff) <= 0x10 &&
    (buffer[at + second] || buffer[at + third] || buffer[at + fourth]) !== 0
  const all = (order: readonly [number, number, number, number]) =>
    Array.from({ length: units }, (_, index) => 4 * index).every((at) => isCharacter(at, order))
  return units > 1 && (all([3, 2, 1, 0]) || all([0, 1, 2, 3]))
}
