import * as assert from 'uvu/assert'
import { addInsights, readInsights } from '../../../server/sql/usage/query-insights.ts'
import { openTestDatabase, type TestDatabase } from '../../database.ts'
import { suite } from '../../suite.ts'

const test = suite('what was searched, read at once')
let database: TestDatabase

test.before(async () => {
  database = await openTestDatabase()
})
test.after(() => database.close())

test('totals, lists and days agree while counts are being written', async () => {
  const { sql } = database
  const [row] = await sql<{ id: string }[]>`insert into projects (name) values ('Lakeside') returning id`
  const scope = { projectId: row?.id ?? '', env: 'live' } as const
  await sql`insert into environments (project_id, env) values (${scope.projectId}, 'live') on conflict do nothing`
  const counts = { ...scope, query: 'sauna', searches: 1, empty: 1, fallbacks: 0 }
  await addInsights(sql, [counts])
  let reads = 0
  const write = async () => {
    while (reads < 100) await addInsights(sql, [counts])
  }
  const writing = write()
  const read: number[][] = []
  for (; reads < 100; reads++) {
    const { totals, top, unanswered, byDay } = await readInsights(sql, scope, { days: 2, limit: 10 })
    const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0)
    const lists = [top, unanswered, byDay].map((list) => sum(list.map(({ searches }) => searches)))
    read.push([totals.searches, ...lists])
  }
  await writing
  assert.equal(
    read.filter(([total, ...others]) => others.some((other) => other !== total)),
    [],
  )
  assert.ok(new Set(read.map(([total]) => total)).size > 5, 'counts were written between the reads')
})

test.run()
