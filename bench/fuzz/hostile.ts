/** Values that programs trip over. */
import type { Random } from './random.ts'

const PIECES = [
  'a',
  'Z',
  '9',
  ' ',
  '\n',
  '\t',
  '\0',
  '\ud83d',
  '\ude00',
  '😀',
  'é',
  'ß',
  'ﬁ',
  'İ',
  '\u202e',
  '\ufeff',
  '\uffff',
  '\u0301',
  "'",
  '"',
  '\\',
  '%',
  '%00',
  '$1',
  '&',
  '|',
  ':*',
  '(',
  '<b>',
  '--',
  ';',
  '../',
  '__proto__',
  'constructor',
  'null',
  '{}',
  'the terrace',
  'breakfast',
]

/** Every character that some pattern of ours looks for, and some that none does. */
const RUNS = [
  ' ',
  '\n',
  '\r',
  '\t',
  '.',
  '!',
  '?',
  ')',
  '(',
  "'",
  '"',
  '’',
  '”',
  ',',
  '-',
  '/',
  ':',
  ';',
  '*',
  '%',
  '0',
]
const LETTERS = [
  'a',
  'A',
  'é',
  '\u0301',
  '😀',
  '\u200d',
  '中',
  'ー',
  '\u00a0',
  '\u200b',
  '\u2028',
  'İ',
  '★',
  '&amp;',
  '<',
]

export function text(random: Random): string {
  return random.list(random.int(12), () => random.pick(PIECES)).join('')
}

/**
 * Text of exactly `length` code units that is one thing over and over, or two in turns, between other letters: what makes
 * a pattern go back and forth.
 */
export function monotony(random: Random, length: number): string {
  const unit = random.chance(0.7)
    ? random.pick([...RUNS, ...LETTERS])
    : random.pick(RUNS) + random.pick([...RUNS, ...LETTERS])
  const before = random.chance(0.7) ? 'a' : ''
  const after = random.chance(0.7) ? random.pick(['b', '.', ' b', ')x', '0']) : ''
  const room = Math.max(0, length - before.length - after.length)
  return (before + unit.repeat(Math.ceil(room / unit.length)).slice(0, room) + after).slice(0, length)
}

export const DATES = [
  '2026-01-05T10:00:00Z',
  '2024-02-29T23:59:59.999+14:00',
  '0001-01-01T00:00:00+23:59',
  '9999-12-31T23:59:59-23:59',
  '2026-02-30T10:00:00Z',
  '2026-01-05',
  'Jan 5, 2026',
  '1/5/2026',
  '1767607200',
  '5. Januar 2026',
  '2 weeks ago',
]

export const RATINGS = ['5', '4/5', '★★★★', '4 stars', 'FIVE', '4,5', '80%', '0', '', '6', '1e308', '-1', 'NaN']

/** JSON of any kind, and some that a careless check lets through. */
export function value(random: Random, depth = 0): unknown {
  const leaf = [null, true, false, 0, -0, 1, 5, 6, 4.5, -1, 1e308, 2 ** 53, '', '5', 'true', ...DATES.slice(0, 4)]
  if (depth > 3 || random.chance(0.6)) return random.chance(0.4) ? text(random) : random.pick(leaf)
  if (random.chance(0.5)) return random.list(random.int(5), () => value(random, depth + 1))
  return Object.fromEntries(random.list(random.int(5), () => [text(random), value(random, depth + 1)]))
}

/** Bytes that begin as JSON and turn out otherwise, or are far too much of it. */
export function brokenJson(random: Random, sound: string): Buffer {
  const kind = random.int(8)
  if (kind === 0) return Buffer.from(sound.slice(0, random.int(sound.length + 1)))
  if (kind === 1) return Buffer.from('['.repeat(random.pick([10, 1_000, 7_000])))
  if (kind === 2) return Buffer.from(`${'[{"a":'.repeat(1_500)}1${'}]'.repeat(1_500)}`)
  if (kind === 3) return Buffer.from(`"${'a'.repeat(random.int(15_000))}`)
  if (kind === 4) return Buffer.from(`[${'0,'.repeat(random.int(7_000))}0]`)
  if (kind === 5) return Buffer.from(`{${random.list(800, () => '"q":1').join(',')}}`)
  if (kind === 6) return Buffer.from(sound, 'utf16le')
  const bytes = Buffer.from(sound)
  for (let i = 0; i < 3 && bytes.length > 0; i++) bytes[random.int(bytes.length)] = random.int(256)
  return bytes
}
