/** The tables of reviews, hash-partitioned by project with the statements of docs/scaling.md. */
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { describeSchema } from '../../scripts/describe-schema.ts'
import { startAutoanalyze } from '../../server/db/autovacuum.ts'
import { restoreBackup } from '../../server/db/backup/restore.ts'
import { writeBackup } from '../../server/db/backup/write.ts'
import { connect } from '../../server/db/connect.ts'
import { migrate } from '../../server/db/migrate.ts'
import type { Pool } from '../../server/deps.ts'
import { Worker } from '../../server/indexing/worker.ts'
import { createResultCache } from '../../server/search/cache.ts'
import { createSearch } from '../../server/search/search.ts'
import { activateModel, cursorSecret } from '../../server/sql/installation/installation.ts'
import { queryResponse } from '../../src/contract/query.ts'
import { pushResponse } from '../../src/contract/review.ts'
import { openTestDatabase, silent } from '../database.ts'
import { openService, review, type TestService } from '../http/service.ts'
import { openTransport, type Transport } from '../http/transport.ts'
import { fakeEmbedder } from '../indexing/fake-embedder.ts'
import { suite } from '../suite.ts'
import { partition } from './partition.ts'
import { usedBy, uses } from './partition-use.ts'

const TABLES = ['reviews', 'excerpts', 'index_jobs']
const folder = mkdtempSync(join(tmpdir(), 'pullquote-partitions-'))

const test = suite('partitioned tables')
let service: TestService
let transport: Transport
/** One connection for everything, so that it knows what each partition was read and written for. */
let sql: Pool
let modelId: number
const embedder = fakeEmbedder()

test.before(async () => {
  service = await openService()
  const address = new URL(process.env.TEST_DATABASE_URL ?? '')
  const [row] = await service.database.sql<{ name: string }[]>`select current_database() as name`
  address.pathname = `/${row?.name}`
  sql = connect({ url: address.href, max: 1 })
  modelId = (await activateModel(sql, { name: embedder.id, dimensions: embedder.dimensions })).modelId
  const cache = createResultCache({ entries: 100, bytes: 1_000_000 })
  const search = createSearch({ sql, embedder, modelId, cache, log: silent })
  transport = await openTransport('app.fetch', {
    ...service.deps,
    sql,
    search,
    cursorSecret: await cursorSecret(sql),
    model: { name: embedder.id, id: modelId },
  })
})
test.after(async () => {
  await transport.close()
  await sql.end()
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

async function send(method: string, path: string, body?: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${service.keys.secret}`, 'content-type': 'application/json' }
  const response = await transport.send({ method, path, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
  assert.ok(response.ok, `${method} ${path}: ${response.status}`)
  return response
}

async function indexAll(): Promise<void> {
  const worker = new Worker({ sql, embedder, classify: () => 'positive', log: silent, modelId })
  await worker.idle()
  await worker.stop()
}

/** Every row of the three tables, as text. */
async function contents(): Promise<string[]> {
  const rows: string[] = []
  for (const table of TABLES) {
    const found = await sql.unsafe<{ row: string }[]>(`select to_jsonb(t)::text as row from ${table} t order by 1`)
    rows.push(...found.map(({ row }) => `${table} ${row}`))
  }
  return rows
}

async function remainderOf(projectId: string): Promise<number> {
  const [row] = await sql<{ name: string }[]>`
    select tableoid::regclass::text as name from reviews where project_id = ${projectId} limit 1`
  return Number(row?.name.replace('reviews_', ''))
}

test('rows that were there stay as they were', async () => {
  await send('POST', '/v1/reviews', [review('a'), review('b'), review('c')])
  await indexAll()
  await send('POST', '/v1/reviews', [review('d')])
  const before = await contents()
  assert.is(before.length, 3 + 1 + 3 + 1)
  await partition(sql)
  assert.equal(await contents(), before)
  await migrate(sql, silent)
})

test('columns, keys, indexes and statistics targets are those of the plain tables', async () => {
  const plain = await openTestDatabase()
  const described = async (of: Pool) => {
    const text = (await describeSchema(of))
      .replaceAll(' ON ONLY ', ' ON ')
      .replaceAll(/ with \((fillfactor=70|toast_tuple_target=8160)\)/g, '')
    return text.split('\n\n').filter((part) => !/^(create table|CREATE INDEX) \w+_\d+/.test(part))
  }
  const ours = (parts: string[]) =>
    parts.map((part) =>
      part
        .split('\n')
        .filter((line) => !/^alter table \w+_\d+ | REFERENCES reviews_\d+\(/.test(line))
        .join('\n'),
    )
  const targets = (of: Pool) => of<{ column: string }[]>`
    select distinct regexp_replace(attrelid::regclass::text, '_[0-9]+$', '') || '.' || attname as column
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relkind = 'r' and relnamespace = 'public'::regnamespace and attstattarget = 0 and attnum > 0 order by 1`
  try {
    if (!process.env.PULLQUOTE_TEST_PARTITIONED) {
      assert.equal(ours(await described(sql)), await described(plain.sql))
      assert.equal(await targets(sql), await targets(plain.sql))
    }
  } finally {
    await plain.close()
  }
  const [row] = await sql<
    { options: string[] }[]
  >`select reloptions as options from pg_class where relname = 'index_jobs_7'`
  assert.equal(row?.options, ['fillfactor=70'])
  const [excerpts] = await sql<{ options: string[] }[]>`
    select reloptions as options from pg_class where relname = 'excerpts_7'`
  assert.equal(excerpts?.options, ['toast_tuple_target=8160'])
})

test('a claim of the worker looks at all projects, and indexes what waits', async () => {
  assert.ok((await usedBy(sql, indexAll)).length > 1)
  const { reviews } = v.parse(
    v.looseObject({ reviews: v.array(v.object({ status: v.string() })) }),
    await (await send('GET', '/v1/reviews')).json(),
  )
  assert.equal(
    reviews.map(({ status }) => status),
    ['indexed', 'indexed', 'indexed', 'indexed'],
  )
})

test('push, list, query, hide and delete use the partition of their project alone', async () => {
  const own = [await remainderOf(service.project.id)]
  let id = ''
  const steps: [string, () => Promise<unknown>][] = [
    [
      'push',
      async () => {
        const answer = v.parse(
          pushResponse,
          await (
            await send('POST', '/v1/reviews', [review('e'), review('a', { text: 'Changed: the sauna was hot.' })])
          ).json(),
        )
        id = answer.reviews[0]?.id ?? ''
      },
    ],
    ['list', () => send('GET', '/v1/reviews?min_rating=2&limit=2')],
    ['read', () => send('GET', `/v1/reviews/${id}`)],
    [
      'query',
      async () => {
        const found = v.parse(
          queryResponse,
          await (await send('GET', '/v1/query?q=terrace+at+breakfast&include=text')).json(),
        )
        assert.is(found.match, 'query')
      },
    ],
    ['newest', () => send('GET', '/v1/query?limit=3')],
    ['newest of a page', () => send('GET', '/v1/query?limit=3&metadata.page=terrace&min_rating=5&source=google')],
    ['query of a page', () => send('GET', '/v1/query?q=breakfast&metadata.page=terrace&mode=reviews')],
    ['hide', () => send('PATCH', `/v1/reviews/${id}`, { hidden: true })],
    ['delete', () => send('DELETE', `/v1/reviews/${id}`)],
  ]
  for (const [name, step] of steps) assert.equal(await usedBy(sql, step), own, name)
})

test('what is hidden or deleted is gone from queries', async () => {
  await indexAll()
  const shown = async () => {
    const response = await send('GET', '/v1/query?limit=20')
    return v.parse(queryResponse, await response.json()).results.map(({ review }) => review.id)
  }
  const [first = '', second = '', ...others] = await shown()
  await send('PATCH', `/v1/reviews/${first}`, { hidden: true })
  await send('DELETE', `/v1/reviews/${second}`)
  assert.equal(await shown(), others)
})

test('an import of partitions that grow is analysed', async () => {
  const own = await remainderOf(service.project.id)
  await sql.unsafe(`alter table reviews_${own} set (autovacuum_enabled = false)`)
  await sql`insert into reviews (project_id, env, source, external_id, text)
    select ${service.project.id}, 'test', 'custom', n, 'Made up' from generate_series(1, 3000) n`
  await uses(sql)
  const statistics = startAutoanalyze(sql, silent, 3_600_000)
  await statistics.run()
  statistics.stop()
  const [row] = await sql`select analyze_count from pg_stat_user_tables where relname = ${`reviews_${own}`}`
  assert.ok(Number(row?.analyze_count) > 1, 'once by the statements of the page, and once now')
  await sql`delete from reviews where env = 'test'`
})

test('a backup of partitioned tables restores into partitioned ones', async () => {
  const path = join(folder, 'backup.jsonl.gz')
  const { rows } = await writeBackup(sql, createWriteStream(path))
  const target = await openTestDatabase()
  try {
    if (!process.env.PULLQUOTE_TEST_PARTITIONED) await partition(target.sql)
    assert.equal((await restoreBackup(target.sql, path)).rows, rows)
    assert.ok(rows.reviews > 0 && rows.excerpts > 0)
  } finally {
    await target.close()
  }
})

test('the schema keeps the rules of databases that are distributed by project: keys hold it, foreign keys too', async () => {
  const keys = await sql<{ table: string; definition: string }[]>`
    select conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition from pg_constraint
    where conrelid::regclass::text = any (${TABLES}) and contype in ('p', 'u')`
  assert.is(keys.length, 4)
  for (const { table, definition } of keys) assert.match(definition, /\(project_id\b/, table)
  const references = await sql<{ to: string; definition: string }[]>`
    select confrelid::regclass::text as to, pg_get_constraintdef(oid) as definition from pg_constraint
    where conrelid::regclass::text = any (${TABLES}) and contype = 'f' and conparentid = 0`
  for (const { to, definition } of references) {
    if (TABLES.includes(to)) assert.match(definition, /^FOREIGN KEY \(project_id, .* REFERENCES \w+\(project_id, /)
    else assert.ok(['projects', 'embedding_models'].includes(to), definition)
  }
})

test.run()
