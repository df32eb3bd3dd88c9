/** What the importer says to the command's user, in words for somebody who sees a page. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { inPageWords } from '../../console/views/import-words.ts'
import { IMPORT_FILE_BYTES } from '../../src/contract/limits.ts'
import type { ImportOptions } from '../../src/importer/formats/mapping.ts'
import { checkFileSize } from '../../src/importer/read/table.ts'
import { describeLostMetadata } from '../../src/importer/rows/lost-metadata.ts'
import { describeMissing } from '../../src/importer/rows/missing-reviews.ts'
import { prepareImport } from '../../src/importer/rows/prepare.ts'
import { type ImportTarget, runImport } from '../../src/importer/rows/run.ts'
import { batchedImport } from '../../src/importer/rows/summary.ts'
import { growsWithLength, run } from '../importer/hostile-runs.ts'
import { suite } from '../suite.ts'

const test = suite('the words of an import on a page')

/** All that is said of an import: its refusal, or its notes and why rows were left out. */
async function said(contents: (string | Buffer)[], options: ImportOptions = {}): Promise<string[]> {
  const files = contents.map((content, at) => ({
    name: `file-${at}.csv`,
    bytes: typeof content === 'string' ? Buffer.from(content) : content,
  }))
  try {
    const { warnings, skipped } = await prepareImport(files, options, { wholeFolder: files.length > 1 })
    return [...warnings.map(({ message }) => message), ...skipped.map(({ message }) => message)]
  } catch (error) {
    return [(error as Error).message]
  }
}

const day = 'date,rating,text\n13/01/2026,5,Quiet rooms\n'
const month = 'date,rating,text\n01/13/2026,5,Kind people\n'
const unclear = 'date,rating,text\n1/2/2026,5,Warm bread\n'
const CASES: [name: string, contents: (string | Buffer)[], instead: RegExp, options?: ImportOptions][] = [
  ['dates of both orders', [`${day}01/13/2026,5,Kind people\n`], /or choose one order below/],
  [
    'files that disagree',
    [day, month, unclear],
    /Import it by itself, or choose below how the dates of all are read\./,
  ],
  ['dates that could be either', [unclear], /\(the other way can be chosen below\)/],
  ['dates read with the day first', [month], /but this file is read with the day first/, { day_first: true }],
  ['dates read with the month first', [day], /but this file is read with the month first/, { day_first: false }],
  [
    'an encoding from before Unicode',
    [Buffer.from('date,text\n2026-01-02,The caf\xe9 was fine\n', 'latin1')],
    /if letters are wrong, choose the encoding below, or save the file as "CSV UTF-8"/,
  ],
  [
    'an encoding that cannot be told',
    [Buffer.from('date,text\n2026-01-02,ma\xa4ana\n', 'latin1')],
    /Choose the encoding it was saved in, or save it as "CSV UTF-8"/,
  ],
  [
    'sentences below no heading',
    ['date,text,\n2026-01-02,Warm bread.,A neighbour spoke of the cakes here.\n'],
    /"column 3", which has no heading of its own, has sentences that are left out \(unless it is chosen below\)/,
  ],
  [
    'double-encoded text',
    ['date,text\n2026-01-02,The cafÃ© was fine\n'],
    /imported as it is; it can be repaired below/,
  ],
  [
    'HTML',
    ['date,text\n2026-01-02,Rooms &amp; breakfast\n2026-01-03,1 < 2 & more\n'],
    /left as it is; it can be decoded below/,
  ],
  [
    'an id that is not the review’s own',
    ['id,date,text\n7,2026-01-02,Quiet rooms\n7,2026-01-03,Kind people\n'],
    /choose no column for the id/,
  ],
  ['an id that a spreadsheet rounded', ['id,date,text\n1.23E+15,2026-01-02,Quiet\n'], /choose no column for the id/],
  [
    'ratings of another scale',
    ['date,rating,text\n2026-01-02,9,Quiet\n2026-01-03,4,Kind\n'],
    /choose the best rating below, or no column for the rating/,
  ],
  [
    'ratings of a scale that is named',
    ['date,rating,text\n2026-01-02,8/9,Quiet rooms\n'],
    /on a scale other than 1 to 5: choose the best rating below/,
  ],
  [
    'a rating without a scale beside others of ten',
    ['date,rating,text\n2026-01-02,8/10,Quiet rooms\n2026-01-03,4,Kind\n'],
    /may be out of 10, as "8\/10" in row 2 is: choose the best rating below/,
  ],
  [
    'several places in one file',
    ['date,Hotel,text\n2026-01-02,Swan,Quiet rooms\n2026-01-03,Crane,Warm bread\n'],
    /"Hotel" names several \("Swan", "Crane"\): the reviews of all come into this project$/,
  ],
  [
    'ratings that may be of three',
    [`date,rating,text\n${'2026-01-02,3,Quiet rooms\n'.repeat(30)}`],
    /if it is the best possible, choose it below/,
  ],
  [
    'a rating that is none',
    ['date,rating,text\n2026-01-02,so so,Quiet\n'],
    /; or choose no column for the rating below/,
  ],
  [
    'a column that may name the authors',
    ['date,Name of the skipper,text\n2026-01-02,Ann Lee,Quiet rooms all night\n'],
    /imported as Anonymous \(unless it is chosen below\)/,
  ],
  [
    'days and months that a spreadsheet swapped',
    [
      [
        'date,text',
        '2026-05-01',
        '2026-09-03',
        '2026-03-05',
        '2026-11-07',
        '1/13/2026',
        '2/14/2026',
        '3/25/2026',
        '4/30/2026',
      ]
        .map((date, row) => (row === 0 ? date : `${date},Quiet rooms ${row}`))
        .join('\n'),
    ],
    /opened in a spreadsheet, or choose below how its dates are read\./,
  ],
  [
    'a column that may be the rating',
    ['date,How would you rate your stay,text\n2026-01-02,4,Quiet rooms all night\n'],
    /\(unless it is chosen below\)/,
  ],
  [
    'a status that is not known',
    ['date,status,text\n2026-01-02,Frobnicated,Quiet rooms all night\n2026-01-02,published,Kind people at the desk\n'],
    /since the column may not be about publishing/,
  ],
  ['columns that could be another', ['date,Review Text,Comment\n2026-01-02,Quiet,Kind\n'], /\(choose below\)/],
  [
    'reviews that the owner wrote',
    [
      'review_text_published,five_star_rating_published,google_maps_url,date\nQuiet,5,https://maps.example/1,2026-01-02\n',
    ],
    /instead of "Maps \(your places\)"\.$/,
  ],
  [
    'dates that name no day',
    ['date,text\n3 months ago,Quiet rooms\n'],
    /or give below the day on which the file was made/,
  ],
  ['a column that only says how long ago', ['since,text\na year ago,Quiet rooms all night\n'], /or give below the day/],
  [
    'neither text nor dates',
    ['a,b\n1,2\n'],
    /Name what is missing below\. None of the columns has readable dates, .* give all of them one day below/,
  ],
  ['a file without dates', ['author,text\nAnn,Quiet rooms all night\n'], /or give all of them one day below/],
  [
    'a day that is given beside dates',
    ['date,text\n2026-01-02,Quiet rooms\n'],
    /, not from the day that was given/,
    { date: '2026-02-01' },
  ],
  [
    'a day that is given where a column says how long ago',
    ['since,text\na year ago,Quiet rooms all night\n'],
    /which is more precise than one day for all of them/,
    { date: '2026-02-01' },
  ],
  [
    'a month behind the day of the file',
    ['date,text\nMarch 2026,Quiet rooms\n'],
    /later than the day on which the file was made/,
    { as_of: '2026-02-01' },
  ],
  [
    'columns that nothing names',
    ['wann,was\n2026-01-02,The ferry waited for us.\n'],
    /Name what is missing below\. The columns: /,
  ],
]

for (const [name, contents, instead, options] of CASES) {
  test(`${name}: the command's option is named to its user, a choice on the page`, async () => {
    const messages = await said(contents, options)
    const named = messages.filter((message) => / --[a-z]/.test(message.replace('(--', ' --')))
    assert.ok(named.length > 0, messages.join('\n'))
    assert.not.match(messages.map(inPageWords).join('\n'), /--[a-z]|pullquote/)
    assert.ok(
      messages.some((message) => instead.test(inPageWords(message))),
      messages.map(inPageWords).join('\n'),
    )
  })
}

/** What is said where the store refuses an import. */
async function refusedBy(content: string, store: Partial<ImportTarget>): Promise<string> {
  const prepared = await prepareImport([{ name: 'a.csv', bytes: Buffer.from(content) }], {}, {})
  const target: ImportTarget = {
    compare: async (rows) => rows.map(() => 'inserted'),
    remainingCapacity: async () => 100,
    storedElsewhere: async () => new Map(),
    async *storedBetween() {},
    storedDays: async () => [],
    textsOf: async () => [],
    countLater: async () => 0,
    stillShown: async () => [],
    metadataKeys: async () => [],
    hide: async () => {},
    push: async (rows) => rows.map(() => 'updated'),
    ...store,
  }
  return runImport(batchedImport(prepared), target).then(
    () => '',
    (error: Error) => error.message,
  )
}

test('ids of other reviews: both ways out are buttons on the page', async () => {
  const message = await refusedBy(`${day}13/01/2026,4,Kind people\n`, {
    compare: async (rows) => rows.map(() => 'replaced'),
  })
  assert.match(message, '--map id=')
  assert.match(inPageWords(message), /Nothing was imported\.$/)
})

test('days that are stored the other way round: both readings are choices on the page', async () => {
  const occurred_at = new Date('2026-02-01')
  const message = await refusedBy(
    'id,author,date,rating,text\n7,Ana,1/2/2026,5,The bread was warm and the room quiet.\n',
    {
      storedDays: async (keys) => keys.map((key, at) => ({ ...key, id: `${at}`, occurred_at })),
    },
  )
  assert.match(message, /Use --day-first if what is stored is right; --no-day-first corrects it\.$/)
  assert.match(inPageWords(message), /Choose below to read the day first .*; reading the month first corrects it\.$/)
})

test('reviews that are missing: to hide them is a choice on the page', () => {
  for (const outcome of ['told', 'hidden', 'other', 'selection', 'part', 'unread'] as const) {
    const message = describeMissing({ ids: ['1', '2'], among: 9, likeness: 'same', first: [], outcome }, false)
    assert.is(/--missing/.test(message), !['hidden', 'other', 'selection'].includes(outcome), message)
    assert.not.match(inPageWords(message), /--/)
  }
})

test('metadata that is lost comes back with a mapping', () => {
  for (const isDryRun of [true, false]) {
    const message = describeLostMetadata(['product_id'], isDryRun)
    assert.match(message, /--metadata/)
    assert.match(
      inPageWords(message),
      /no longer show them, until they are imported with a mapping that keeps the columns$/,
    )
  }
})

test('a column of answers to how likely one would recommend is chosen on the page', () => {
  const message =
    'may be the rating but is not used (--map rating="Likely?" uses it, with --rating-scale 10 if the answers go from 0 to 10)'
  assert.is(inPageWords(message), 'may be the rating but is not used (unless it is chosen below)')
})

test('ids of links, verdicts in words and a second text are decided on the page', async () => {
  const rows = (verdicts: string[]) =>
    verdicts.map(
      (verdict, row) => `2026-01-05,Warm bread ${row},${verdict},Quick,https://a.example/?reviewId=r${row}\n`,
    )
  const csv = `Date,Product Review,Rating,Service Review,Link\n${rows(['Good', 'Bad']).join('')}`
  const { warnings } = batchedImport(await prepareImport([{ name: 'a.csv', bytes: Buffer.from(csv) }], {}, {}))
  const told = warnings.filter(({ message }) => /--map (?:id|rating|text)=/.test(message))
  assert.is(told.length, 3)
  for (const { message } of told) assert.not.match(inPageWords(message), /--/)
})

test('a file that is too large is to be split, and nothing is pushed by command', () => {
  let message = ''
  try {
    checkFileSize('all.csv', IMPORT_FILE_BYTES + 1)
  } catch (error) {
    message = (error as Error).message
  }
  assert.match(message, 'pullquote reviews push')
  assert.match(inPageWords(message), /import them together\. If it is an archive/)
})

test('what a review says stays, also where it speaks of options', () => {
  const text = '"They said: use --force. I ran it with --map id=7, --decode-html and --day-first."'
  assert.is(inPageWords(text), text)
})

test('a file of skipped rows that consists of beginnings of sentences is read in linear time', async () => {
  const beginnings = [
    'Name it with --map date=',
    ' (--map author="',
    'Name the text with --map text="\\',
    ': --rating-scale 1',
  ]
  for (const piece of beginnings)
    await growsWithLength(`errors.csv of ${piece}`, 200_000, (length) => inPageWords(run(piece, length)))
})

test('each file of the importer that names an option is tried here', () => {
  const folder = join(import.meta.dirname, '../../src/importer')
  const naming = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => {
    const lines = path.endsWith('.ts') ? readFileSync(join(folder, path), 'utf8').split('\n') : []
    return lines.some((line) => /--[a-z]{2}/.test(line) && !/^\s*(?:\*|\/\/|\/\*\*)/.test(line))
  })
  // What a new one says belongs into console/views/import-words.ts and above.
  assert.equal(naming.sort(), [
    'fields/approximate-date.ts',
    'fields/date.ts',
    'fields/rating-scale.ts',
    'fields/rating.ts',
    // The reason of a chosen format, which the page does not show.
    'formats/detect-format.ts',
    'formats/missing-columns.ts',
    'formats/place-columns.ts',
    'formats/plan-notes.ts',
    'formats/rating-columns.ts',
    'read/encodings/encoding.ts',
    'read/open-tables.ts',
    'rows/check-ids.ts',
    'rows/date-order.ts',
    'rows/exchanged-days.ts',
    'rows/lost-metadata.ts',
    'rows/missing-reviews.ts',
    'rows/prepare.ts',
    'rows/row-mapper.ts',
    'rows/warnings.ts',
  ])
})

test.run()
