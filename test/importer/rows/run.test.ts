import * as assert from 'uvu/assert'
import type { ReviewInput } from '../../../src/contract/review.ts'
import { prepareImport } from '../../../src/importer/rows/prepare.ts'
import type { ImportRow } from '../../../src/importer/rows/row.ts'
import {
  type ComparedOutcome,
  type ImportTarget,
  type RowOutcome,
  runImport,
  type StoredElsewhere,
} from '../../../src/importer/rows/run.ts'
import { batchedImport } from '../../../src/importer/rows/summary.ts'
import { resultWarnings } from '../../../src/importer/rows/warnings.ts'
import { suite } from '../../suite.ts'
import { prepare as prepareFile, refusalOf } from '../prepared.ts'

const test = suite('running an import')

/** A door onto a map, which counts its calls and can fail at a batch. */
class Shelf implements ImportTarget {
  readonly stored = new Map<string, string>()
  readonly batches: number[] = []
  cap = 1_000
  failAt = Number.POSITIVE_INFINITY
  /** Texts that are stored under other ids. */
  elsewhere = /(?!)/

  async compare(rows: readonly ImportRow[]): Promise<ComparedOutcome[]> {
    return rows.map(({ review }) => (this.#isReplaced(review) ? 'replaced' : this.#outcome(review)))
  }
  async remainingCapacity(): Promise<number> {
    return this.cap - this.stored.size
  }
  async storedElsewhere(rows: readonly ImportRow[]): Promise<ReadonlyMap<ImportRow, StoredElsewhere>> {
    const there = rows.filter(({ review }) => this.elsewhere.test(review.text))
    return new Map(there.map((row) => [row, { id: 'its id', external_id: 'another', takesId: false }]))
  }
  async *storedBetween(): AsyncGenerator<never[]> {}
  async countLater(): Promise<number> {
    return 0
  }
  async storedDays(): Promise<never[]> {
    return []
  }
  async textsOf(): Promise<never[]> {
    return []
  }
  async metadataKeys(): Promise<never[]> {
    return []
  }
  async stillShown(): Promise<never[]> {
    return []
  }
  async hide(): Promise<void> {}
  async push(rows: readonly ImportRow[]): Promise<RowOutcome[]> {
    if (this.batches.length >= this.failAt) throw new Error('the network broke')
    this.batches.push(rows.length)
    const outcomes = rows.map(({ review }) => this.#outcome(review))
    for (const { review } of rows) this.stored.set(this.#key(review), JSON.stringify(review))
    return outcomes
  }
  #key(review: ReviewInput) {
    return `${review.source} ${review.external_id}`
  }
  #isReplaced(review: ReviewInput): boolean {
    const stored: ReviewInput | undefined = JSON.parse(this.stored.get(this.#key(review)) ?? 'null') ?? undefined
    const differs = (name: 'author_name' | 'occurred_at' | 'text') => stored?.[name] !== review[name]
    return stored !== undefined && differs('author_name') && differs('occurred_at') && differs('text')
  }
  #outcome(review: ReviewInput): RowOutcome {
    const known = this.stored.get(this.#key(review))
    if (known === undefined) return 'inserted'
    return known === JSON.stringify(review) ? 'unchanged' : 'updated'
  }
}

const prepare = async (...file: Parameters<typeof prepareFile>) => batchedImport(await prepareFile(...file))

const csv = (count: number, text = 'Text') =>
  `id,date,text\n${Array.from({ length: count }, (_, index) => `${index},2026-01-05,${text} ${index}.`).join('\n')}\n`

test('rows go in batches of 100, and running again finds them unchanged', async () => {
  const shelf = new Shelf()
  const first = await runImport(await prepare(csv(250)), shelf)
  assert.equal(shelf.batches, [100, 100, 50])
  assert.equal([first.inserted, first.updated, first.unchanged, first.skipped], [250, 0, 0, 0])
  const again = await runImport(await prepare(csv(250)), shelf)
  assert.equal([again.inserted, again.updated, again.unchanged], [0, 250, 250])
})

test('a file whose ids are those of other reviews is refused before anything is written, unless it is forced', async () => {
  const shelf = new Shelf()
  await runImport(
    await prepare('id,date,author,text\n1,2026-01-05,Ada,Quiet.\n2,2026-01-06,Bo,Kind.\n3,2026-01-07,Cy,Warm.\n'),
    shelf,
  )
  const before = new Map(shelf.stored)
  const others =
    'id,date,author,text\n1,2025-03-01,Dee,Slow.\n2,2025-03-02,Eli,Cold.\n3,2026-01-07,Cy,Warm.\n9,2025-03-03,Fay,New.\n'
  for (const dryRun of [false, true])
    assert.is(await refusalOf(async () => runImport(await prepare(others), shelf, { dryRun })), 'ids_of_others')
  assert.equal(shelf.stored, before)
  const forced = await runImport(await prepare(others), shelf, { force: true })
  assert.equal([forced.inserted, forced.updated, forced.unchanged], [1, 3, 1])
})

test('so is one of more rows than a batch: the first hundred tell', async () => {
  const shelf = new Shelf()
  const table = (year: number, author: string) =>
    `id,date,author,text\n${Array.from({ length: 150 }, (_, index) => `${index},${year}-01-05,${author},By ${author} ${index}.`).join('\n')}\n`
  await runImport(await prepare(table(2026, 'Ada')), shelf)
  assert.is(await refusalOf(async () => runImport(await prepare(table(2025, 'Dee')), shelf)), 'ids_of_others')
  assert.is(shelf.batches.length, 2)
})

test('each file of an import is looked at for the ids of others, not the first alone', async () => {
  const shelf = new Shelf()
  await runImport(await prepare(csv(3, 'Stored')), shelf)
  const files = ['100,2025-03-01,Dee,A.', ...[0, 1, 2].map((id) => `${id},2025-03-02,Eli,B${id}.`)].map(
    (line) => `${line}\n`,
  )
  const both = [files.slice(0, 1), files.slice(1)].map((lines, place) => {
    return { name: `${place}.csv`, bytes: Buffer.from(`id,date,author,text\n${lines.join('')}`) }
  })
  const before = new Map(shelf.stored)
  const refused = await runImport(batchedImport(await prepareImport(both)), shelf).catch(
    (error: Error) => error.message,
  )
  assert.match(String(refused), /^3 of the first rows of 1\.csv have the ids of stored reviews/)
  assert.equal(shelf.stored, before)
})

test('one review that became another, or reviews of which something is the same, are updates', async () => {
  const shelf = new Shelf()
  await runImport(
    await prepare('id,date,author,text\n1,2026-01-05,Ada,Quiet.\n2,2026-01-06,Bo,Kind.\n3,2026-01-07,Cy,Warm.\n'),
    shelf,
  )
  const one = await runImport(await prepare('id,date,author,text\n1,2025-03-01,Dee,Slow.\n'), shelf)
  assert.is(one.updated, 1)
  const edited = 'id,date,author,text\n1,2025-03-01,Dee,Slower.\n2,2026-02-06,Bo,Kinder.\n3,2026-01-07,Cyril,Warmer.\n'
  assert.is((await runImport(await prepare(edited), shelf)).updated, 3)
})

test('changed rows are updated, and inserted, updated and skipped are all the rows of the file', async () => {
  const shelf = new Shelf()
  await runImport(await prepare(csv(3)), shelf)
  const file =
    'id,date,text\n0,2026-01-05,Text 0.\n1,2026-01-05,Changed.\n9,2026-01-05,New.\n9,2026-01-05,Newer.\n9,2026-01-05,Newer.\nx,,No date.\n'
  const result = await runImport(await prepare(file), shelf)
  assert.equal([result.inserted, result.updated, result.unchanged, result.skipped], [1, 4, 2, 1])
  assert.equal(result.reasons, { no_date: 1 })
})

test('a run that breaks off tells what is left, and the same run again finishes it', async () => {
  const shelf = new Shelf()
  shelf.failAt = 2
  const broken = await runImport(await prepare(csv(450)), shelf)
  assert.is(broken.inserted, 200)
  assert.is(broken.stopped?.remaining, 250)
  shelf.failAt = Number.POSITIVE_INFINITY
  const finished = await runImport(await prepare(csv(450)), shelf)
  assert.equal([finished.inserted, finished.unchanged], [250, 200])
  assert.is(finished.stopped, undefined)
})

test('a signal stops between two batches', async () => {
  const shelf = new Shelf()
  const controller = new AbortController()
  const result = await runImport(await prepare(csv(300)), shelf, {
    signal: controller.signal,
    onProgress: ({ done }) => {
      if (done === 100) controller.abort()
    },
  })
  assert.is(shelf.stored.size, 100)
  assert.is(result.stopped?.remaining, 200)
})

test('the cap is checked for the whole file before the first row is written', async () => {
  const shelf = new Shelf()
  shelf.cap = 249
  assert.is(await refusalOf(async () => runImport(await prepare(csv(250)), shelf)), 'review_limit_reached')
  assert.is(shelf.stored.size, 0)
})

test('a dry run says that the import would be refused by the cap', async () => {
  const shelf = new Shelf()
  const told = async () => {
    const [warning] = resultWarnings(await runImport(await prepare(csv(250)), shelf, { dryRun: true }), [])
    return [warning?.code, warning?.message]
  }
  shelf.cap = 249
  const message = 'the project has room for 249 more, so this import of 250 new reviews would be refused'
  assert.equal(await told(), ['review_limit', message])
  shelf.cap = 250
  assert.equal(await told(), [undefined, undefined])
})

test('what is stored under another id is left there and told, takes no room, and is written when forced', async () => {
  const shelf = new Shelf()
  shelf.elsewhere = /Text [0-3]\./
  shelf.cap = 246
  const dry = await runImport(await prepare(csv(250)), shelf, { dryRun: true })
  assert.equal([dry.inserted, dry.updated, dry.unchanged, dry.elsewhere.count], [246, 4, 4, 4])
  const result = await runImport(await prepare(csv(250)), shelf)
  assert.equal([result.inserted, result.updated, result.unchanged, shelf.stored.size], [246, 4, 4, 246])
  const { files } = await prepare(csv(250))
  const [warning, ...more] = resultWarnings(result, files)
  assert.is(more.length, 0)
  assert.match(warning?.message ?? '', /^4 rows .* under another id.* \(line 2, line 3, line 4, …\); --force /)
  assert.equal(resultWarnings({ ...result, elsewhere: { count: 0, first: [] } }, files), [])
  shelf.cap = 1_000
  const forced = await runImport(await prepare(csv(250)), shelf, { force: true })
  assert.equal([forced.inserted, forced.unchanged, forced.elsewhere.count], [4, 246, 0])
})

test('updates do not count against the cap', async () => {
  const shelf = new Shelf()
  shelf.cap = 250
  await runImport(await prepare(csv(250)), shelf)
  const result = await runImport(await prepare(csv(250, 'Other')), shelf)
  assert.equal([result.inserted, result.updated, result.unchanged], [0, 250, 0])
})

test('a dry run counts and samples, and writes nothing', async () => {
  const shelf = new Shelf()
  await runImport(await prepare(csv(5)), shelf)
  const pushed = shelf.batches.length
  const result = await runImport(await prepare(`${csv(10)}1,2026-01-05,Changed.\n`), shelf, { dryRun: true })
  assert.equal([result.inserted, result.updated, result.unchanged], [5, 6, 4])
  assert.is(result.samples?.inserted.length, 3)
  assert.is(result.samples?.updated[0]?.review.text, 'Changed.')
  assert.is(shelf.batches.length, pushed)
  assert.is(shelf.stored.size, 5)
})

test('progress begins at none and ends at all', async () => {
  const seen: number[] = []
  await runImport(await prepare(csv(150)), new Shelf(), { onProgress: ({ done }) => seen.push(done) })
  assert.equal(seen, [0, 100, 150])
})

test('seconds come from the given clock', async () => {
  let now = 0
  const result = await runImport(await prepare(csv(1)), new Shelf(), { clock: () => (now += 1_500) })
  assert.is(result.seconds, 1.5)
})

test.run()
