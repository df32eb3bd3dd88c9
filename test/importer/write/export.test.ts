import * as assert from 'uvu/assert'
import { SOURCES } from '../../../src/contract/sources.ts'
import { prepareImport } from '../../../src/importer/rows/prepare.ts'
import { csvWriter, type ExportedReview, exportFiles, jsonLinesWriter } from '../../../src/importer/write/export.ts'
import { random } from '../../random.ts'
import { suite } from '../../suite.ts'
import { prepare, refusalOf } from '../prepared.ts'

const test = suite('export')

/**
 * Whether this engine reads the key `"\\t"` as a backslash once it has read a backslash as a key: V8 from Node 24 on
 * (nodejs/node#63785).
 */
const confusesKeys = (() => {
  JSON.parse('{"h":[],"\\\\":0}')
  return !Object.hasOwn(JSON.parse('{"h":1,"\\t":2}'), '\t')
})()

const PIECES = [
  'tea',
  ' ',
  '  ',
  '\n',
  '\r\n',
  '\r',
  '\t',
  ',',
  ';',
  '"',
  '""',
  "'",
  "''",
  '=',
  '+',
  '-',
  '@',
  '\\',
  '🍵',
  'é',
  'é',
  'مرحبا',
  '\u00a0',
  '\u2028',
  '\ufeff',
  '<b>',
  '&amp;',
  '(Translated by Google)',
  '(Original)',
  '… Read more',
  '\n\nResponse from the owner 2 weeks ago',
  'Ã©',
  '#NAME?',
  '1.5E+12',
  '0',
  'null',
  '＝',
  '|',
  '{',
  '[',
  'sep=;',
]

function randomReview(next: () => number, serial: number): ExportedReview {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T
  const words = (most: number) => Array.from({ length: 1 + Math.floor(next() * most) }, () => pick(PIECES)).join('')
  const text = words(12).trim() || 'x'
  const keys = Array.from({ length: Math.floor(next() * 4) }, () => words(2).slice(0, 64)).map((key) =>
    confusesKeys && key === '\\' ? 'backslash' : key,
  )
  return {
    external_id: `${words(2)}#${serial}`,
    source: pick(SOURCES),
    rating: pick([null, 1, 2, 3, 4, 5]),
    text: /^#NAME\?$/i.test(text) ? 'x' : text,
    author_name: words(3),
    author_avatar_url: pick([null, 'https://example.com/a.png', 'app://avatar/1']),
    occurred_at: new Date(Math.floor(next() * 2e12)).toISOString(),
    url: pick([null, 'https://example.com/r?a=1&b=2#c', 'urn:review:7']),
    language: pick([null, 'en', 'pt-BR', 'zh-hant']),
    hidden: next() < 0.3,
    metadata: Object.fromEntries(keys.map((key) => [key, pick(['', words(4), '__proto__', "'"])])),
  }
}

const keysOf = (reviews: ExportedReview[]) => [...new Set(reviews.flatMap((review) => Object.keys(review.metadata)))]

async function importedAgain(text: string): Promise<ExportedReview[]> {
  const prepared = await prepare(text)
  assert.equal(prepared.skipped, [])
  return prepared.rows.map(({ review, hidden }) => ({
    external_id: review.external_id,
    source: review.source,
    rating: review.rating ?? null,
    text: review.text,
    author_name: review.author_name,
    author_avatar_url: review.author_avatar_url ?? null,
    occurred_at: review.occurred_at.toISOString(),
    url: review.url ?? null,
    language: review.language ?? null,
    hidden,
    metadata: review.metadata ?? {},
  }))
}

const byId = (a: ExportedReview, b: ExportedReview) =>
  `${a.source}${a.external_id}` < `${b.source}${b.external_id}` ? -1 : 1

for (const format of ['csv', 'jsonl'] as const) {
  test(`${format}: whatever was put in comes out and goes in again to the same rows`, async () => {
    for (let seed = 1; seed <= 60; seed++) {
      const next = random(seed)
      const reviews = Array.from({ length: 1 + Math.floor(next() * 25) }, (_, index) => randomReview(next, index))
      const writer = format === 'csv' ? csvWriter(keysOf(reviews)) : jsonLinesWriter()
      const text = [...exportFiles(reviews, writer)].map((piece) => piece.text).join('')
      assert.equal((await importedAgain(text)).sort(byId), reviews.sort(byId), `seed ${seed}`)
    }
  })
}

test('sentences that are hidden come out and go in again, and are no metadata', async () => {
  const words = ['thecarpetwasold', 'ﾊﾞﾀｰ', '=)', '!!!']
  const reviews = [0, 1].map((index) => randomReview(random(7), index))
  const hiding = reviews.map((review, index) => (index === 0 ? { ...review, hidden_words: words.join(' ') } : review))
  for (const writer of [csvWriter(keysOf(reviews), true), jsonLinesWriter()]) {
    const text = [...exportFiles(hiding, writer)].map((piece) => piece.text).join('')
    const { rows } = await prepare(text)
    assert.equal(
      rows.map(({ hiddenWords }) => hiddenWords),
      [words, undefined],
    )
    assert.equal((await importedAgain(text)).sort(byId), reviews.sort(byId))
  }
})

/** True and false as spreadsheets write them, by the language that they are set to. */
const SPREADSHEETS = `TRUE FALSE, WAHR FALSCH, VRAI FAUX, VERDADERO FALSO, VERO FALSO, WAAR ONWAAR, VERDADEIRO FALSO, PRAWDA FAŁSZ,
  SANT FALSKT, SAND FALSK, SANN USANN, TOSI EPÄTOSI, PRAVDA NEPRAVDA, DOĞRU YANLIŞ, IGAZ HAMIS, ADEVĂRAT FALS, ИСТИНА ЛОЖЬ,
  ІСТИНА ХИБНІСТЬ, ΑΛΗΘΗΣ ΨΕΥΔΗΣ`

test('what a spreadsheet of another language makes of true and false hides the same reviews', async () => {
  const next = random(11)
  const reviews = Array.from({ length: 3 }, (_, index) => ({
    ...randomReview(next, index),
    hidden: index === 1,
    metadata: { room: '12' },
  }))
  const [{ text } = { text: '' }] = exportFiles(reviews, csvWriter(keysOf(reviews)))
  for (const [is, isNot] of SPREADSHEETS.split(',').map((pair) => pair.trim().split(/\s+/))) {
    const saved = text.replaceAll(',true,', `,${is},`).replaceAll(',false,', `,${isNot},`)
    const { rows, warnings } = await prepare(saved)
    assert.equal(
      rows.map((row) => row.hidden),
      [false, true, false],
      is,
    )
    assert.equal(warnings, [])
    assert.match(saved, `,${isNot},12`)
  }
})

test('a word below "hidden" that nobody knows hides the review, and is told', async () => {
  const next = random(12)
  const reviews = [{ ...randomReview(next, 1), hidden: false, metadata: { room: '12' } }]
  const [{ text } = { text: '' }] = exportFiles(reviews, csvWriter(keysOf(reviews)))
  const { rows, warnings } = await prepare(text.replace(',false,', ',perhaps,'))
  assert.is(rows[0]?.hidden, true)
  assert.match(warnings[0]?.message ?? '', /unknown status.*"perhaps"/)
})

test('a long export comes in pieces, which have every review once', async () => {
  const long = { ...randomReview(random(7), 0), text: 'The bread was warm. '.repeat(100).trim() }
  const reviews = Array.from({ length: 400 }, (_, index) => ({ ...long, external_id: `${index}` }))
  for (const writer of [csvWriter(keysOf(reviews)), jsonLinesWriter()]) {
    const pieces = [...exportFiles(reviews, writer)]
    assert.ok(pieces.length > 2)
    assert.equal(new Set(pieces.map(({ file }) => file)), new Set([1]))
    assert.equal(await importedAgain(pieces.map(({ text }) => text).join('')), reviews)
  }
})

test('exports over the size of an import file are cut into several, each complete', async () => {
  const next = random(7)
  const reviews = Array.from({ length: 200 }, (_, index) => randomReview(next, index))
  const files = new Map<number, string>()
  for (const { file, text } of exportFiles(reviews, csvWriter(keysOf(reviews)), 8_000))
    files.set(file, (files.get(file) ?? '') + text)
  assert.ok(files.size > 3)
  for (const text of files.values()) assert.ok(Buffer.byteLength(text) <= 8_000)
  const prepared = await prepareImport(
    [...files].map(([file, text]) => ({ name: `${file}.csv`, bytes: Buffer.from(text) })),
  )
  assert.is(prepared.rows.length, 200)
})

test('the export of a project without reviews is a header, which imports as nothing, with a note', async () => {
  const [piece] = exportFiles([], csvWriter([]))
  const { rows, warnings } = await prepare(piece?.text ?? '')
  assert.is(rows.length, 0)
  assert.match(warnings[0]?.message ?? '', 'the export of a project without reviews')
  assert.is(await refusalOf(() => prepare('date,text\n')), 'no_rows')
})

test.run()
