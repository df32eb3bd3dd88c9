/** What an import can say of the reviews that earlier ones of the same export brought. */
import * as assert from 'uvu/assert'
import type { ImportOptions } from '../../../src/importer/formats/mapping.ts'
import type { EarlierReview, EarlierText } from '../../../src/importer/rows/earlier-imports.ts'
import { prepareImport } from '../../../src/importer/rows/prepare.ts'
import type { ImportRow } from '../../../src/importer/rows/row.ts'
import { type ImportTarget, type RowOutcome, runImport, type StoredElsewhere } from '../../../src/importer/rows/run.ts'
import { batchedImport } from '../../../src/importer/rows/summary.ts'
import { suite } from '../../suite.ts'
import { prepare } from '../prepared.ts'

const test = suite('reviews of earlier imports')

/** Keeps rows with their origins, as the database does. */
class Shelf implements ImportTarget {
  readonly rows = new Map<string, ImportRow>()
  readonly hidden: string[] = []
  failAt = Number.POSITIVE_INFINITY
  pushes = 0

  async compare(rows: readonly ImportRow[]): Promise<RowOutcome[]> {
    return rows.map((row) => (this.rows.has(idOf(row)) ? 'updated' : 'inserted'))
  }
  async remainingCapacity(): Promise<number> {
    return 1_000
  }
  async storedElsewhere(): Promise<ReadonlyMap<ImportRow, StoredElsewhere>> {
    return new Map()
  }
  async *storedBetween(from: Date, to: Date, names: readonly string[]): AsyncGenerator<EarlierReview[]> {
    for (const row of this.rows.values()) {
      const { source, external_id, author_name, occurred_at, rating = null, metadata = {} } = row.review
      if (occurred_at < from || occurred_at > to) continue
      const common = { id: idOf(row), source, external_id, author_name, occurred_at, rating, isOpen: true }
      yield [{ ...common, origin: row.origin ?? null, names: names.map((name) => metadata[name] ?? null) }]
    }
  }
  async storedDays(): Promise<never[]> {
    return []
  }
  async metadataKeys(): Promise<never[]> {
    return []
  }
  async stillShown(): Promise<never[]> {
    return []
  }
  async textsOf(ids: readonly string[]): Promise<EarlierText[]> {
    return ids.flatMap((id) => {
      const row = this.rows.get(id)
      return row ? [{ id, ...row.review }] : []
    })
  }
  async countLater(than: Date, origins: readonly string[]): Promise<number> {
    return [...this.rows.values()].filter(
      ({ review, origin }) => review.occurred_at > than && origins.includes(origin ?? ''),
    ).length
  }
  async push(rows: readonly ImportRow[]): Promise<RowOutcome[]> {
    if (++this.pushes >= this.failAt) throw new Error('the network broke')
    const outcomes = await this.compare(rows)
    for (const row of rows) {
      if (row.replaces !== undefined) this.rows.delete(row.replaces)
      const origin = this.rows.get(idOf(row))?.origin ?? row.origin
      this.rows.set(idOf(row), { ...row, ...(origin !== undefined && { origin }) })
    }
    return outcomes
  }
  async hide(ids: readonly string[]): Promise<void> {
    this.hidden.push(...ids)
  }
}

const idOf = ({ review }: ImportRow) => review.external_id

interface Line {
  id: number
  /** Days after the first of January; its id otherwise. */
  day?: number
  rating?: number | ''
  product?: string
  branch?: string
}
const csv = (lines: readonly Line[]) =>
  `id,date,author,rating,product_id,branch,text\n${lines
    .map(({ id, day: days = id, rating = 5, product = 'tent', branch = 'north' }) => {
      const day = new Date(Date.UTC(2026, 0, 1) + days * 86_400_000).toISOString().slice(0, 10)
      return `${id},${day},Ada ${id},${rating},${product},${branch},Text ${id}.\n`
    })
    .join('')}`
const KEPT: ImportOptions = { metadata: ['product_id', 'branch'] }
const numbers = (count: number, from = 0): Line[] => Array.from({ length: count }, (_, index) => ({ id: from + index }))
const without = (lines: readonly Line[], ...ids: number[]) => lines.filter(({ id }) => !ids.includes(id))

async function importTwice(first: readonly Line[], second: readonly Line[], missing?: ImportOptions['missing']) {
  const shelf = new Shelf()
  await runImport(batchedImport(await prepare(csv(first), KEPT)), shelf)
  return runImport(batchedImport(await prepare(csv(second), KEPT)), shelf, missing ? { missing } : {})
}

test('a review between others that are still there is missing; the oldest ones may be cut, and newer ones be later', async () => {
  const all = numbers(12)
  assert.equal((await importTwice(all, without(all, 4, 6))).missing?.ids.sort(), ['4', '6'])
  assert.is((await importTwice(all, without(all, 0, 1, 10, 11))).missing, undefined)
  const ofTheFirstDay = { id: 50, day: 0 }
  assert.is((await importTwice([...all, ofTheFirstDay], all)).missing, undefined)
})

test('rows whose days are counted back are never missing, and their file says nothing of what else is', async () => {
  const ago = (lines: readonly Line[], made: boolean) =>
    prepare(
      `${made ? '' : 'id,'}date,author,text\n${lines.map(({ id }) => `${made ? '' : `${id},`}${id + 1} days ago,Ada ${id},Text ${id} of Ada.\n`).join('')}`,
      { as_of: '2026-01-20' },
    )
  for (const made of [true, false]) {
    const shelf = new Shelf()
    const run = async (lines: readonly Line[], missing: ImportOptions['missing']) =>
      runImport(batchedImport(await ago(lines, made)), shelf, { missing: missing ?? 'list' })
    await run(numbers(12), 'list')
    const again = await run(without(numbers(12), 4, 6), 'list')
    assert.equal([again.inserted, again.updated, again.missing, again.later], [0, 10, undefined, undefined])
    const hiding = await run(without(numbers(12), 4, 6), 'hide')
    assert.equal([hiding.missing?.outcome, shelf.hidden], ['selection', []])
  }
  const shelf = new Shelf()
  await runImport(batchedImport(await prepare(csv(numbers(12)), KEPT)), shelf)
  const mixed = csv(without(numbers(12), 4, 6)).replace('2026-01-06', '2 weeks ago')
  const result = await runImport(batchedImport(await prepare(mixed, { ...KEPT, as_of: '2026-01-20' })), shelf)
  assert.equal([result.updated, result.missing], [10, undefined])
  const other = new Shelf()
  const one = csv(numbers(12)).replace('2026-01-06', '2 weeks ago')
  await runImport(batchedImport(await prepare(one, { ...KEPT, as_of: '2026-01-20' })), other)
  const later = await runImport(batchedImport(await prepare(csv(without(numbers(12), 5)), KEPT)), other)
  assert.equal([later.updated, later.missing], [11, undefined])
})

test('stored reviews later than the last row are told: the export is an older one, or their vendor removed them', async () => {
  const all = numbers(12)
  for (const [second, count] of [
    [all, undefined],
    [[...all, { id: 12 }], undefined],
    [all.slice(0, 9), 3],
  ] as const) {
    const { later } = await importTwice(all, second)
    assert.is(later?.count, count)
    if (later) assert.is(later.than.toISOString().slice(0, 10), '2026-01-09')
  }
  const other = all.map((line) => ({ ...line, id: line.id + 500, day: line.id - 20 }))
  assert.is((await importTwice(all, other)).later, undefined, 'another export')
})

test('stars, products and places that the file does not have are not looked for in it', async () => {
  const all = numbers(12)
  const with_ = (change: Partial<Line>) => all.map((line) => (line.id === 5 ? { ...line, ...change } : line))
  assert.is((await importTwice(with_({}), without(all, 5))).missing?.ids.length, 1)
  for (const change of [{ rating: 2 }, { product: 'stove' }, { branch: 'south' }])
    assert.is((await importTwice(with_(change), without(all, 5))).missing, undefined, JSON.stringify(change))
})

test('reviews of products that a newer export does not have are told, once it is known to be the same export', async () => {
  const all = numbers(12).map((line) => (line.id === 5 || line.id === 7 ? { ...line, product: 'stove' } : line))
  const { missing, ofOtherProducts } = await importTwice(all, without(all, 5, 7))
  assert.equal([missing, ofOtherProducts], [undefined, 2])
  assert.is((await importTwice(all, all)).ofOtherProducts, 0)
  const renamed = all.map((line) => ({ ...line, product: `${line.product ?? 'tent'} two` }))
  assert.is((await importTwice(all, renamed)).ofOtherProducts, 0, 'renamed products')
  const ofOthers = numbers(12, 100).map((line) => ({ ...line, day: line.id - 100, product: 'lamp' }))
  assert.is((await importTwice(all, ofOthers)).ofOtherProducts, 0, 'another export')
  const selection = without(all, 5, 7).sort((a, b) => ((a.id * 7) % 11) - ((b.id * 7) % 11))
  assert.is(selection.length, 10)
  assert.is((await importTwice(all, selection)).ofOtherProducts, 0, 'a selection')
})

test('stars that lie among those of the file are looked for in it, and none if any of its rows has none', async () => {
  const rated = (ratings: readonly (number | '')[]) =>
    numbers(12).map((line) => ({ ...line, rating: ratings[line.id] ?? 5 }))
  const all = rated([4, 1, 5, '', 5, 2, '', 3, 4, 4, 4, 4])
  for (const id of [4, 5, 6, 7]) assert.equal((await importTwice(all, without(all, id))).missing?.ids, [`${id}`])
  const lowest = rated([1, 2, 1, '', 1, 5, 1, 1, 1, 1, 1, 1])
  for (const chosen of [rated([5, 5, 5, '', 5, 2]), lowest])
    assert.is((await importTwice(chosen, without(chosen, 5))).missing, undefined)
})

test('each place begins at a day of its own, each file ends at one', async () => {
  const north = numbers(12)
  const south = numbers(6, 100).map((line, index) => ({ ...line, day: 3 + index, branch: 'south' }))
  const all = [...north, ...south]
  assert.is((await importTwice(all, without(all, 100, 101))).missing, undefined)
  assert.equal((await importTwice(all, without(all, 102, 105))).missing?.ids.sort(), ['102', '105'])
  const some = numbers(12).map((line) => ({ ...line, branch: line.id % 2 ? 'north' : '' }))
  assert.equal((await importTwice(some, without(some, 4, 5))).missing?.ids, ['4', '5'], 'also for those of no place')
  const shelf = new Shelf()
  const years = async (first: readonly Line[], second: readonly Line[]) => {
    const bytes = [first, second].map((lines, index) => ({ name: `${index}.csv`, bytes: Buffer.from(csv(lines)) }))
    return runImport(batchedImport(await prepareImport(bytes, KEPT, { wholeFolder: true })), shelf)
  }
  const long = numbers(40)
  await runImport(batchedImport(await prepare(csv(long), KEPT)), shelf)
  const gap = await years(long.slice(0, 18), long.slice(24))
  assert.is(gap.missing, undefined, 'what is between two files is in neither')
})

test('a round number of reviews in no order of time is a choice, which tells nothing of the others', async () => {
  const all = numbers(41)
  const mixed = [...all].sort((a, b) => ((a.id * 17) % 41) - ((b.id * 17) % 41))
  const chosen = without(mixed, 20)
  assert.is(chosen.length, 40)
  assert.is((await importTwice(all, chosen)).missing, undefined)
  const refused = await importTwice(all, chosen, 'hide')
  assert.equal([refused.missing?.outcome, refused.missing?.ids], ['selection', []])
  assert.equal((await importTwice(all, without(mixed, 20, 21))).missing?.ids.length, 2)
  assert.equal((await importTwice(all, without(all, 20))).missing?.ids.length, 1)
  const twoADay = all.map((line) => ({ ...line, day: Math.floor(line.id / 2) }))
  for (const inOrder of [twoADay, twoADay.toReversed()])
    assert.equal((await importTwice(twoADay, without(inOrder, 20))).missing?.ids.length, 1)
  const edited = without([...all.slice(3), ...all.slice(0, 3)], 20)
  assert.equal((await importTwice(all, edited)).missing?.ids.length, 1)
})

test('the first import of a choice has nothing to hide, and nothing is said', async () => {
  const mixed = numbers(41).sort((a, b) => ((a.id * 17) % 41) - ((b.id * 17) % 41))
  const source = batchedImport(await prepare(csv(without(mixed, 20)), KEPT))
  assert.is((await runImport(source, new Shelf(), { missing: 'hide' })).missing, undefined)
})

test('our own export has reviews of any vendor, so that its reviews are of no export and nothing misses them', async () => {
  const shelf = new Shelf()
  const run = async (lines: readonly Line[]) =>
    runImport(batchedImport(await prepare(csv(lines), { profile: 'pullquote' })), shelf)
  await run(numbers(12))
  assert.ok([...shelf.rows.values()].every(({ origin }) => origin === undefined))
  assert.is((await run(without(numbers(12), 4, 6))).missing, undefined)
})

test('more than half is told to nobody, and said where it was to be hidden, which it never is', async () => {
  const all = numbers(20)
  const few = all.filter(({ id }) => id % 4 === 0)
  assert.is((await importTwice(all, few)).missing, undefined)
  for (const choice of ['hide', 'hide-many'] as const)
    assert.is((await importTwice(all, few, choice)).missing?.outcome, 'other', choice)
  const many = all.filter(({ id }) => id % 2 === 0 || id > 17)
  assert.is((await importTwice(all, many, 'hide')).missing?.outcome, 'part')
  assert.is((await importTwice(all, many, 'hide-many')).missing?.outcome, 'hidden')
})

test('of several exports in one import the one of which most is missing decides that nothing is hidden', async () => {
  const [north, south] = [numbers(12), numbers(12, 100)]
  for (const lacking of [3, 103]) {
    const shelf = new Shelf()
    const run = async (lines: readonly Line[]) =>
      runImport(batchedImport(await prepare(csv(lines), KEPT)), shelf, { missing: 'hide' })
    await run(north)
    await run(south)
    const part = without([...north, ...south], ...numbers(5, lacking).map(({ id }) => id))
    const { missing } = await run(part)
    assert.equal([missing?.outcome, missing?.ids.length, missing?.among, shelf.hidden], ['part', 5, 24, []])
  }
})

test('new reviews come with the export of which their file holds the most', async () => {
  const shelf = new Shelf()
  const [north, south] = [numbers(12), numbers(12, 100)]
  const newer = [...north, { id: 50, day: 11 }]
  for (const file of [north, south, [...newer, ...without(south, 104, 105, 106)], [...newer, ...numbers(3, 12)]])
    await runImport(batchedImport(await prepare(csv(file), KEPT)), shelf)
  const origin = (id: number) => shelf.rows.get(String(id))?.origin
  assert.is.not(origin(0), origin(100))
  assert.is(origin(50), origin(0))
  assert.is(origin(14), origin(0))
  const next = await runImport(
    batchedImport(await prepare(csv(without([...newer, ...numbers(3, 12)], 13)), KEPT)),
    shelf,
  )
  assert.equal(next.missing?.ids, ['13'])
})

test('an import that breaks off hides nothing, and the same import again does', async () => {
  const shelf = new Shelf()
  const all = numbers(250)
  await runImport(batchedImport(await prepare(csv(all), KEPT)), shelf)
  const next = batchedImport(await prepare(csv(without(all, 40, 50)), KEPT))
  shelf.failAt = shelf.pushes + 3
  const broken = await runImport(next, shelf, { missing: 'hide' })
  assert.equal([broken.stopped?.remaining, broken.missing], [48, undefined])
  assert.equal(shelf.hidden, [])
  shelf.failAt = Number.POSITIVE_INFINITY
  await runImport(next, shelf, { missing: 'hide', dryRun: true })
  assert.equal(shelf.hidden, [])
  await runImport(next, shelf, { missing: 'hide' })
  assert.equal(shelf.hidden.sort(), ['40', '50'])
})

test.run()
