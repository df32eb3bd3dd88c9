/** Runs of characters that a hostile cell may be made of, and whether reading them takes time that grows with their length. */
import * as assert from 'uvu/assert'

/** What a run is made of. */
export const PIECES = [
  ...[
    ' ',
    '\t',
    '\n',
    '\r\n',
    '\u00a0',
    '\u200e',
    'a',
    'A',
    'é',
    'ß',
    '1',
    '0',
    '★',
    '½',
    '-',
    '/',
    '.',
    ',',
    ':',
    ';',
    '|',
    '?',
  ],
  ...[
    '"',
    '""',
    "'",
    '=',
    '(',
    ')',
    '[',
    '{',
    '}',
    '<',
    '>',
    '&',
    '#',
    '%',
    '@',
    '_',
    '\\',
    '\ufeff',
    '\ufffd',
    '🍞',
    '\ud800',
  ],
  ...[
    '1/',
    '1 ',
    'a ',
    ' a',
    'a.',
    'Ã',
    'Ã©',
    'Ââ',
    'âœ',
    '&amp;',
    '&#',
    '&a',
    '<br',
    '<br>',
    '1 ½',
    '4/5 ',
    'at ',
    '1:1',
  ],
  ...[
    '(Original)',
    '(Translated by Google)',
    'http://',
    '//',
    '{"a":',
    '[1,',
    '"\n',
    '"x\n',
    '"x',
    '""\n',
    'a\nb',
    '\r',
    'a,\n',
    ',"',
  ],
]

/** Around a run, so that a pattern begins to match before it and fails behind it. */
export const AROUND: [string, string][] = [
  ['', ''],
  ['', 'b'],
  ['2026-01-05', '10:00'],
  ['1/2/2026', 'x'],
  ['Jan', '5, 2026 x'],
  ['4', 'stars x'],
  ['https://a', '!'],
  ['a', 'b'],
]

/** Beneath this nothing is measured: a run of this length that is tried in every way takes seconds. */
const UNNOTICED_MS = 60
/** What grows with the square fails each of them; a busy machine, which makes a short run look shorter than it is, some. */
const ATTEMPTS = 6

/** Milliseconds of the processor, which another process on the machine does not add to; or of the clock when it was no more. */
async function costOf(work: () => unknown): Promise<number> {
  const started = performance.now()
  const from = process.cpuUsage()
  await work()
  const passed = performance.now() - started
  if (passed < UNNOTICED_MS) return passed
  const { user, system } = process.cpuUsage(from)
  return (user + system) / 1000
}

/** Four times the input may take eight times as long, where squared growth takes sixteen times. */
export async function growsWithLength(name: string, length: number, work: (length: number) => unknown): Promise<void> {
  await work(64)
  for (let attempt = 1; ; attempt++) {
    const long = await costOf(() => work(4 * length))
    if (long < UNNOTICED_MS) return
    const short = await costOf(() => work(length))
    if (long < 8 * short) return
    assert.ok(
      attempt < ATTEMPTS,
      `${name}: ${length} took ${Math.round(short)} ms, four times as many ${Math.round(long)} ms`,
    )
  }
}

/** The piece again and again, at least as long as is said. */
export const run = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length))
