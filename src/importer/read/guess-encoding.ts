import { alphabetCost, ideographCost, type KnownPairs } from './letter-costs.ts'
import { decodeOld, WESTERN } from './old-encodings.ts'

/** What spreadsheets and older tools write. Of two in which a file reads alike the first is named. */
const ENCODINGS = [
  ...[WESTERN, 'Windows-1250', 'Windows-1254', 'Windows-1257', 'Windows-1258', 'ISO-8859-15', 'ISO-8859-2'],
  ...['Macintosh', 'MacCentEuro', 'MacGreek', 'MacTurkish', 'CP869', 'CP850', 'CP437', 'CP852', 'CP857', 'CP775'],
  ...['Windows-1251', 'KOI8-U', 'CP866', 'CP1125', 'ISO-8859-5', 'X-Mac-Cyrillic'],
  ...['Windows-1253', 'ISO-8859-7', 'CP737', 'Windows-1255', 'CP862', 'Windows-1256', 'ISO-8859-6', 'Windows-874'],
]

/** Encodings of two bytes a letter, and what texts in their languages are full of. */
const IDEOGRAPHS: [encoding: string, usual: RegExp][] = [
  ['Shift_JIS', /[\u3040-\u30ff々]/],
  ['EUC-JP', /[\u3040-\u30ff々]/],
  ['GB18030', /[的一是不了我有在人这很好也就还都大到没和吃店房间点来去上下们时个说可]/],
  ['Big5', /[的一是不了我有在人這很好也就還都大到沒和吃店房間點來去上下們時個說可]/],
  ['EUC-KR', /[가고과그기나는니다데도들라로를리만면서습시아어에여요우은을의이인있었자정지해하한했]/],
]

/** What is looked at: so many cells from all over the file, the beginning of each, and so many bytes together. */
const CELLS = 200
const CELL_BYTES = 2_000
const SAMPLE_BYTES = 4_000

/** By how much an encoding must be better than Western, and than any other that gives another text. */
const MARGIN = 6
const MARGIN_OF_OTHERS = 4
/** One letter may be that of a foreign name. */
const ENOUGH_LETTERS = 2
/** What a byte beyond ASCII may cost; in the right encoding it costs 10 at most. */
const MOST_A_BYTE = 13

/** The encoding of a text, or those between which it cannot be told; none where none fits. */
export type Guess = { encoding: string } | { between: string[] }

/**
 * In which encoding from before Unicode bytes are text: the one in which the letters follow each other as they do in a
 * language that was written in it. Of how large a file ever, a sample is looked at.
 */
export function guessEncoding(bytes: Buffer): Guess {
  const cells = newWords(sampleCells(bytes))
  const known: KnownPairs = new Map()
  const sample = Buffer.concat(cells)
  const readAs = (encoding: string) => decodeOld(sample, encoding).split('\n')
  const costs = [
    ...ENCODINGS.map((encoding) => ({ encoding, cost: alphabetCost(readAs(encoding), known) })),
    ...IDEOGRAPHS.map(([encoding, usual]) => ({ encoding, cost: ideographCost(decodeOld(sample, encoding), usual) })),
  ]
  const western = costs[0]?.cost ?? 0
  const [best = { encoding: WESTERN, cost: western }, ...others] = costs.sort((a, b) => a.cost - b.cost)
  const count = sample.filter((byte) => byte >= 0x80).length
  const text = decodeOld(sample, best.encoding)
  const isProven = western > MOST_A_BYTE * count || differences(text, decodeOld(sample, WESTERN)) >= ENOUGH_LETTERS
  const isWestern = best.cost + MARGIN > western || !isProven
  if ((isWestern ? western : best.cost) > MOST_A_BYTE * count) return { between: [] }
  if (isWestern) return { encoding: WESTERN }
  const near = [best, ...others.filter(({ cost }) => cost < best.cost + MARGIN_OF_OTHERS)]
  const readings = new Map(near.toReversed().map(({ encoding }) => [decodeOld(sample, encoding), encoding]))
  if (readings.size > 1) return { between: [...readings.values()].reverse() }
  return { encoding: best.encoding }
}

/** How many letters differ between two readings. */
function differences(text: string, other: string): number {
  if (text.length !== other.length) return Number.POSITIVE_INFINITY
  let count = 0
  for (let at = 0; at < text.length; at++) if (text[at] !== other[at]) count++
  return count
}

/** Cells with bytes beyond ASCII, from all over the file. What they are parted at is half a letter in no encoding. */
function sampleCells(bytes: Buffer): Buffer[] {
  let cells: Buffer[] = []
  let every = 1
  let count = 0
  let start = 0
  let isAscii = true
  for (let at = 0; at <= bytes.length; at++) {
    const byte = bytes[at] ?? 0x0a
    if (byte >= 0x80) isAscii = false
    if (byte !== 0x0a && byte !== 0x0d && byte !== 0x22) continue
    if (!isAscii && count++ % every === 0) cells.push(bytes.subarray(start, Math.min(at, start + CELL_BYTES)))
    if (cells.length > CELLS) {
      cells = cells.filter((_, index) => index % 2 === 0)
      every *= 2
    }
    start = at + 1
    isAscii = true
  }
  return cells
}

/** Of each cell the words beyond ASCII that stood in none before, so that the name of a branch counts once. */
function newWords(cells: readonly Buffer[]): Buffer[] {
  const seen = new Set<string>()
  let left = SAMPLE_BYTES
  return cells.flatMap((cell) => {
    if (left <= 0) return []
    // The signs below "0" are half a letter in no encoding; other bytes of ASCII may be.
    const words = cell.toString('latin1').split(/[^0-\xff]+/)
    const fresh = words.filter((word) => /[\x80-\xff]/.test(word) && !seen.has(word))
    for (const word of fresh) seen.add(word)
    const text = fresh.join(' ')
    left -= text.length
    return text === '' ? [] : [Buffer.from(`${text}\n`, 'latin1')]
  })
}
