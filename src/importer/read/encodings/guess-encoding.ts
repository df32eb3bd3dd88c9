import { decodeLegacy, WESTERN } from './legacy-encodings.ts'
import { alphabetCost, ideographCost, type PairCostCache } from './letter-costs.ts'

/** Encodings that spreadsheets and older tools write. When a file reads the same in two, the first is named. */
const ENCODINGS = [
  ...[WESTERN, 'Windows-1250', 'Windows-1254', 'Windows-1257', 'Windows-1258', 'ISO-8859-15', 'ISO-8859-2'],
  ...['Macintosh', 'MacCentEuro', 'MacGreek', 'MacTurkish', 'CP869', 'CP850', 'CP437', 'CP852', 'CP857', 'CP775'],
  ...['Windows-1251', 'KOI8-U', 'CP866', 'CP1125', 'ISO-8859-5', 'X-Mac-Cyrillic'],
  ...['Windows-1253', 'ISO-8859-7', 'CP737', 'Windows-1255', 'CP862', 'Windows-1256', 'ISO-8859-6', 'Windows-874'],
]

/** Double-byte encodings, and the characters that are frequent in their languages. */
const IDEOGRAPHS: [encoding: string, usual: RegExp][] = [
  ['Shift_JIS', /[\u3040-\u30ff々]/],
  ['EUC-JP', /[\u3040-\u30ff々]/],
  ['GB18030', /[的一是不了我有在人这很好也就还都大到没和吃店房间点来去上下们时个说可]/],
  ['Big5', /[的一是不了我有在人這很好也就還都大到沒和吃店房間點來去上下們時個說可]/],
  ['EUC-KR', /[가고과그기나는니다데도들라로를리만면서습시아어에여요우은을의이인있었자정지해하한했]/],
]

/** The sample: cells from all over the file, the beginning of each, and a total of bytes. */
const CELLS = 200
const CELL_BYTES = 2_000
const SAMPLE_BYTES = 4_000

/** How much cheaper an encoding must be than Western, and than any other that yields a different text. */
const MARGIN = 6
const MARGIN_OF_OTHERS = 4
/** A single letter may belong to a foreign name. */
const ENOUGH_LETTERS = 2
/** Maximum cost per non-ASCII byte; the right encoding costs at most 10. */
const MOST_A_BYTE = 13

/** The encoding of a text, or the candidates when it is ambiguous; an empty list when none fits. */
export type Guess = { encoding: string } | { candidates: string[] }

/**
 * Guesses the legacy encoding of bytes: the one in which letters follow each other as in a language written in it.
 * Looks at a sample, however large the file.
 */
export function guessEncoding(bytes: Buffer): Guess {
  const cells = newWords(sampleCells(bytes))
  const known: PairCostCache = new Map()
  const sample = Buffer.concat(cells)
  const readAs = (encoding: string) => decodeLegacy(sample, encoding).split('\n')
  const costs = [
    ...ENCODINGS.map((encoding) => ({ encoding, cost: alphabetCost(readAs(encoding), known) })),
    ...IDEOGRAPHS.map(([encoding, usual]) => ({
      encoding,
      cost: ideographCost(decodeLegacy(sample, encoding), usual),
    })),
  ]
  const western = costs[0]?.cost ?? 0
  const [best = { encoding: WESTERN, cost: western }, ...others] = costs.sort((a, b) => a.cost - b.cost)
  const count = sample.filter((byte) => byte >= 0x80).length
  const text = decodeLegacy(sample, best.encoding)
  const isProven = western > MOST_A_BYTE * count || differences(text, decodeLegacy(sample, WESTERN)) >= ENOUGH_LETTERS
  const isWestern = best.cost + MARGIN > western || !isProven
  if ((isWestern ? western : best.cost) > MOST_A_BYTE * count) return { candidates: [] }
  if (isWestern) return { encoding: WESTERN }
  const near = [best, ...others.filter(({ cost }) => cost < best.cost + MARGIN_OF_OTHERS)]
  const readings = new Map(near.toReversed().map(({ encoding }) => [decodeLegacy(sample, encoding), encoding]))
  if (readings.size > 1) return { candidates: [...readings.values()].reverse() }
  return { encoding: best.encoding }
}

function differences(text: string, other: string): number {
  if (text.length !== other.length) return Number.POSITIVE_INFINITY
  let count = 0
  for (let at = 0; at < text.length; at++) if (text[at] !== other[at]) count++
  return count
}

/** Cells with non-ASCII bytes, from all over the file. In no encoding does a separator byte belong to a character. */
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

/** The non-ASCII words of each cell that no earlier cell had, so that the name of a branch counts once. */
function newWords(cells: readonly Buffer[]): Buffer[] {
  const seen = new Set<string>()
  let left = SAMPLE_BYTES
  return cells.flatMap((cell) => {
    if (left <= 0) return []
    // Bytes below "0" are never the second byte of a character; other ASCII bytes may be.
    const words = cell.toString('latin1').split(/[^0-\xff]+/)
    const fresh = words.filter((word) => /[\x80-\xff]/.test(word) && !seen.has(word))
    for (const word of fresh) seen.add(word)
    const text = fresh.join(' ')
    left -= text.length
    return text === '' ? [] : [Buffer.from(`${text}\n`, 'latin1')]
  })
}
