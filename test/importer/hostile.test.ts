/** Whoever writes a review decides what stands in a cell: a run of any character, as long as a file may be, is read in time that grows with its length. */

import * as assert from 'uvu/assert'
import { publicName } from '../../src/importer/fields/author.ts'
import { detectDamage } from '../../src/importer/fields/damaged-text.ts'
import { parseDate, plainTimestamp } from '../../src/importer/fields/date.ts'
import { isMangledId, stableId } from '../../src/importer/fields/external-id.ts'
import { decodeHtml, htmlTraces } from '../../src/importer/fields/html.ts'
import { parseLanguage } from '../../src/importer/fields/language.ts'
import { parseLink } from '../../src/importer/fields/link.ts'
import { looksDoubleEncoded, repairEncoding } from '../../src/importer/fields/mojibake.ts'
import { withoutPageWords } from '../../src/importer/fields/page-words.ts'
import { parseRating } from '../../src/importer/fields/rating.ts'
import { parseSource } from '../../src/importer/fields/source.ts'
import { splitTranslation } from '../../src/importer/fields/translation.ts'
import { parseVisibility } from '../../src/importer/fields/visibility.ts'
import { isPrivate, isReply } from '../../src/importer/formats/excluded-headers.ts'
import { headerNames } from '../../src/importer/formats/header-names.ts'
import { scaleOfHeader } from '../../src/importer/formats/rating-columns.ts'
import { visibilityColumns } from '../../src/importer/formats/visibility-columns.ts'
import { ImporterError } from '../../src/importer/importer-error.ts'
import { quoted } from '../../src/importer/quoted.ts'
import {
  escapeFormula,
  escapeMetadata,
  unescapeFormula,
  unescapeMetadata,
} from '../../src/importer/read/cell-escape.ts'
import { detectDelimiter } from '../../src/importer/read/csv/delimiter.ts'
import { toUtf8 } from '../../src/importer/read/encodings/encoding.ts'
import { metadataKey, normalizeHeader } from '../../src/importer/read/headers.ts'
import { countJsonNames, locateJsonError } from '../../src/importer/read/json/json-fault.ts'
import { passedOverIn } from '../../src/importer/read/review-files.ts'
import { sniff } from '../../src/importer/read/sniff.ts'
import { cellStyles } from '../../src/importer/read/workbook/cell-styles.ts'
import { suite } from '../suite.ts'
import { AROUND, growsWithLength, PIECES, run } from './hostile-runs.ts'
import { prepare } from './prepared.ts'

const test = suite('hostile cells, headings and files')

const READERS: Record<string, (cell: string) => unknown> = {
  parseDate,
  plainTimestamp,
  parseRating,
  parseLanguage,
  parseLink,
  parseVisibility,
  parseSource,
  splitTranslation,
  pageWords: (text) => withoutPageWords(text, false),
  looksDoubleEncoded,
  repairEncoding,
  htmlTraces,
  decodeHtml,
  detectDamage,
  normalizeHeader,
  metadataKey,
  isMangledId,
  publicName,
  quoted,
  escapeFormula,
  escapeMetadata,
  unescapeMetadata,
  detectDelimiter,
  locateJsonError,
  countJsonNames,
  restored: (cell) => unescapeFormula(`'${cell}`),
  hashed: (text) => stableId({ source: 'custom', author: text, day: '2026-01-05', text }),
  decoded: (text) => toUtf8(Buffer.from(text, 'latin1')),
  sniffed: (text) => (text === '' ? undefined : sniffed(text)),
}

function sniffed(text: string): unknown {
  try {
    return sniff('x', Buffer.from(text))
  } catch (error) {
    if (error instanceof ImporterError) return error.code
    throw error
  }
}

/** Four times it is the longest text of a review: what grows with the square takes a quarter of a second of that. A whole file is half as long. */
const CELL_LENGTH = Number(process.env.PULLQUOTE_TEST_CELL_LENGTH ?? 5_000)

for (const [name, read] of Object.entries(READERS)) {
  test(`${name}: any run, with anything around it`, async () => {
    for (const piece of PIECES)
      for (const [before, behind] of AROUND)
        await growsWithLength(`${name} of ${JSON.stringify([before, piece, behind])}`, CELL_LENGTH, (length) =>
          read(before + run(piece, length) + behind),
        )
  })
}

async function survived(content: string | Uint8Array): Promise<void> {
  try {
    await prepare(content)
  } catch (error) {
    if (!(error instanceof ImporterError)) throw error
  }
}

test('files: any run as the whole file, as a heading, and in each cell of CSV and JSON', async () => {
  const wrapped: ((cell: string) => string)[] = [
    (cell) => cell,
    (cell) => `date,text\n${cell}`,
    (cell) => {
      // Each an eighth: csv-parse makes an error, which is slow, for each of the rows that line breaks cut off.
      const part = cell.slice(0, cell.length / 8)
      const cells = [part, `"${part}"`, part, part, part, part, part, part]
      return `date,text,rating,url,language,author,source,status\n${cells.join()}\n`
    },
    // Longer than what is parsed at once, but for those that end the cell.
    (cell) => `date,text\n2026-01-05,"${cell.includes('"') ? cell : cell.repeat(8)}"\n`,
    (cell) => `date,${cell},text\n2026-01-05,x,Good.\n`,
    // None of its columns has a known name.
    (cell) => `p,q\n${cell.replaceAll(',', '')},"${cell.replaceAll('"', '')}"\n`,
    (cell) => `date,text\n2026-01-05,Good.\n2026-01-05,"${cell}\n`,
    (cell) =>
      JSON.stringify([
        { date: `5${cell}1`, text: `a${cell}b`, rating: `4${cell}x`, url: cell, language: cell, source: cell },
      ]),
    (cell) => `[{"date":"2026-01-05","text":"${cell}`,
    (cell) => `{"date":"2026-01-05","text":"Good."}\n${cell}\n`,
  ]
  for (const piece of PIECES)
    for (const [index, wrap] of wrapped.entries())
      await growsWithLength(`file ${index} of ${JSON.stringify(piece)}`, CELL_LENGTH / 2, (length) =>
        survived(wrap(run(piece, length))),
      )
})

/** Of a heading's characters 1,000 are read; what grows with their square or cube is slow with many headings, as here with one that is longer. */
const HEADING_READERS: Record<string, (header: string) => unknown> = {
  headerNames,
  scaleOfHeader,
  isReply,
  isPrivate,
  visibility: (header) => visibilityColumns([header], [], () => true, false),
}
const HEADING_PIECES = [
  '(',
  ' ',
  '(1 to ',
  '(out of ',
  '[0/',
  'review.',
  '.value',
  'okto',
  'canwe',
  'note',
  'whatdoyoulike',
]

for (const [name, read] of Object.entries(HEADING_READERS)) {
  test(`${name}: any run in a heading`, async () => {
    for (const piece of HEADING_PIECES)
      await growsWithLength(`${name} of ${piece}`, CELL_LENGTH, (length) => read(`${run(piece, length)}x`))
  })
}

test('a table of as many headings as may be is refused in time that grows with their number', async () => {
  for (const beside of ['', 'price,sku,'])
    await growsWithLength(`headings beside ${JSON.stringify(beside)}`, 240, (length) => {
      const columns = Array.from({ length }, (_, column) => `The shelf of the bakery with the number ${column}`)
      return survived(`${beside}${columns.join(',')}\n${'1,'.repeat(length)}\n`)
    })
})

test('the number formats of a workbook and the names in an archive: any run', async () => {
  const styles = (code: string) =>
    cellStyles(
      'x.xlsx',
      Buffer.from(`<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${code}"/></numFmts></styleSheet>`),
    )
  for (const piece of ['[', '[h', '[]', '&quot;', '&quot;h', '_', '*', '0', 'd'])
    await growsWithLength(`format of ${piece}`, CELL_LENGTH, (length) => styles(`${run(piece, length)}d`))
  for (const piece of ['/', '/__MACOSX/', '/._', 'a/', '.csv', '/reviews-', '.json'])
    await growsWithLength(`path of ${piece}`, 4 * CELL_LENGTH, (length) => passedOverIn([`${run(piece, length)}\nx`]))
})

test('a date or rating longer than any is refused with its beginning', () => {
  const date = parseDate(`2026-01-05${' '.repeat(3_000)}10:00`)
  assert.ok(!date.ok && date.message.length < 200, 'date')
  const rating = parseRating(`4${' '.repeat(100_000)}stars`)
  assert.ok(!rating.ok && rating.message.length < 200, 'rating')
  assert.ok(parseDate('2026-01-05     10:00').ok)
  assert.ok(parseRating('4      out of      5').ok)
})

test.run()
