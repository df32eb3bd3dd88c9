import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import { BadBackup, LEFT_OUT, TABLES } from '../../server/db/backup/format.ts'
import { checkBackup } from '../../server/db/backup/read.ts'
import { NotEmpty, restoreBackup } from '../../server/db/backup/restore.ts'
import { writeBackup } from '../../server/db/backup/write.ts'
import type { Sql } from '../../server/deps.ts'
import { deleteProject, purgeDeletedProjects } from '../../server/sql/projects/delete-project.ts'
import { listProjects } from '../../server/sql/projects/projects.ts'
import { openTestDatabase, type TestDatabase } from '../database.ts'
import { Garden } from '../search/planted.ts'
import { suite } from '../suite.ts'

const test = suite('backup and restore')
const folder = mkdtempSync(join(tmpdir(), 'pullquote-backup-test-'))
const path = join(folder, 'backup.jsonl.gz')
let source: TestDatabase
let target: TestDatabase

test.before(async () => {
  source = await openTestDatabase()
  target = await openTestDatabase()
  const { sql } = source
  const garden = await new Garden(sql).open('Hotel "Aurora" – 湖')
  for (let i = 0; i < 450; i++) {
    await garden.plant({
      rating: i % 6 === 0 ? null : (i % 5) + 1,
      hidden: i % 7 === 0,
      language: i % 2 ? 'de' : null,
      occurred_at: i % 11 === 0 ? null : '2026-01-05T10:00:00.123Z',
      metadata: { room: String(i), __proto__x: '"quoted" \\ 🎉' },
      slices: [
        [`Quiet room ${i}, it's "nice" \\ 🎉`, 0.1 + i / 1000],
        ['Second', 0.3],
      ],
    })
  }
  const { id } = garden.context.project
  await sql`update installation set embedding_model_id = ${garden.modelId}`
  await sql`update projects set similarity_floor = 0.123456789012345, allowed_origins = '{https://a.example,https://b.example}'`
  await sql`update environments set revision = 42, review_count = 450 where project_id = ${id} and env = 'live'`
  await sql`insert into api_keys (project_id, env, kind, key_hash, hint) values (${id}, 'live', 'secret', ${Buffer.alloc(32, 7)}, 'abcd')`
  await sql`insert into index_jobs (project_id, review_id, text_version) select project_id, id, text_version from reviews limit 3`
  await sql`update reviews set status = 'indexing' where id in (select review_id from index_jobs)`
  await sql`insert into query_usage (project_id, month, uncached) values (${id}, '2026-01-01', 77)`
  await sql`insert into embedding_usage (day, texts) values ('2026-01-01', 5)`
})
test.after(async () => {
  await source.close()
  await target.close()
})

/** Every row of every table of a backup, as text in a fixed order. */
async function contents(sql: Sql): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const table of TABLES) {
    const rows = await sql.unsafe<{ row: string }[]>(`select to_jsonb(t)::text as row from ${table} t order by 1`)
    found[table] = rows.map(({ row }) => row)
  }
  return found
}

async function messageOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
  } catch (error) {
    if (error instanceof BadBackup || error instanceof NotEmpty) return error.message
    throw error
  }
  return 'was done'
}

test('every table is in a backup, or left out for a reason', async () => {
  const tables = await source.sql<{ name: string }[]>`
    select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`
  const known = [...TABLES, ...Object.keys(LEFT_OUT)]
  assert.equal(tables.map(({ name }) => name).sort(), known.sort())
})

test('what is restored is what was there, to the last digit', async () => {
  const { rows } = await writeBackup(source.sql, createWriteStream(path))
  assert.equal([rows.projects, rows.reviews, rows.excerpts, rows.api_keys], [1, 450, 900, 1])
  const told: [done: number, total: number][] = []
  const restored = await restoreBackup(target.sql, path, undefined, (done, total) => told.push([done, total]))
  assert.is(restored.indexing, 3)
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
  assert.equal(told.at(-1), [total, total])
  assert.ok(told.length > 2 && told.every(([done], at) => done > (told[at - 1]?.[0] ?? 0)), JSON.stringify(told))
  assert.equal(await contents(target.sql), await contents(source.sql))
})

test('a restored database goes on: new rows get new numbers', async () => {
  const [model] = await target.sql<{ id: number }[]>`
    insert into embedding_models (name, dimensions) values ('next', 3) returning id`
  const [last] = await source.sql<{ id: number }[]>`select max(id) as id from embedding_models`
  assert.ok((model?.id ?? 0) > (last?.id ?? 0))
})

test('what a server knows a model by is no other model after a restore beside it, and the same one if it is the same', async () => {
  const models = async (sql: Sql) => {
    const [active] = await sql<{ id: number }[]>`select embedding_model_id as id from installation`
    const counts = await sql<{ id: number; excerpts: number }[]>`
      select embedding_model_id as id, count(*)::int as excerpts from excerpts group by embedding_model_id`
    const rows = await sql<{ id: number; name: string }[]>`select id, name from embedding_models order by name`
    return rows.map(({ id, name }) => {
      return { id, name, active: id === active?.id, excerpts: counts.find((count) => count.id === id)?.excerpts ?? 0 }
    })
  }
  const [planted] = await models(source.sql)
  await target.sql`delete from projects`
  await target.sql`update installation set embedding_model_id = null`
  await target.sql`delete from embedding_models`
  const ids = await target.sql<{ id: number }[]>`
    insert into embedding_models (id, name, dimensions) overriding system value
    values (${planted?.id ?? 0}, 'other', 3), (40, 'planted', 3) returning id`
  await target.sql`select setval(pg_get_serial_sequence('embedding_models', 'id'), 40)`
  await target.sql`delete from embedding_usage`
  await restoreBackup(target.sql, path)
  assert.equal(await models(target.sql), [{ ...planted, id: 40 }])
  await target.sql`delete from projects`
  await target.sql`delete from embedding_usage`
  await target.sql`update embedding_models set name = 'third'`
  await restoreBackup(target.sql, path)
  const [after] = await models(target.sql)
  assert.ok((after?.id ?? 0) > 40 && !ids.some(({ id }) => id === after?.id))
  assert.equal([after?.name, after?.active, after?.excerpts], ['planted', true, 900])
})

test('a database that holds projects is not overwritten', async () => {
  const before = await contents(target.sql)
  assert.match(await messageOf(restoreBackup(target.sql, path)), /holds projects already/)
  assert.equal(await contents(target.sql), before)
})

/** A backup with other lines, and the checksum that belongs to them. */
function sealed(text: string): Buffer {
  const lines = text.trimEnd().split('\n')
  const end = JSON.parse(lines.pop() ?? '')
  const written = lines.map((line) => `${line}\n`).join('')
  end.sha256 = createHash('sha256').update(written).digest('hex')
  return gzipSync(`${written}${JSON.stringify(end)}\n`)
}

test('a file that is cut, damaged or something else writes nothing', async () => {
  const bytes = readFileSync(path)
  const text = gunzipSync(bytes).toString('utf8')
  const lines = text.trimEnd().split('\n')
  const cases: [string, Buffer, RegExp][] = [
    ['cut within the gzip', bytes.subarray(0, bytes.length - 100), /not complete|damaged/],
    ['cut at a line', gzipSync(`${lines.slice(0, -1).join('\n')}\n`), /not complete/],
    ['one letter changed', gzipSync(text.replace('Quiet room 7,', 'Quiet room 8,')), /checksum/],
    ['a line gone', gzipSync(`${[...lines.slice(0, 5), ...lines.slice(6)].join('\n')}\n`), /damaged/],
    ['not gzip', Buffer.from('hello'), /no Pullquote backup/],
    ['gzip of something else', gzipSync('hello\n'), /no Pullquote backup/],
    // Its first line will not do, and what nobody reads any more fails as well: that ended the process.
    [
      'something else, cut',
      gzipSync(`hello\n${randomBytes(300_000).toString('hex')}\n`).subarray(0, -9),
      /no Pullquote/,
    ],
    ['one endless line', gzipSync(Buffer.alloc(2 ** 28 + 1, 'a'), { level: 1 }), /no Pullquote backup: .*without end/],
    ['empty', Buffer.alloc(0), /no Pullquote backup|not complete/],
    ['newer format', gzipSync(text.replace('"version":1', '"version":9')), /newer version.*Update first/],
    ['newer header', gzipSync(text.replace('"version":1', '"version":2,"zone":"UTC"')), /newer version.*Update first/],
    [
      'newer migration',
      sealed(text.replace('"migrations":[', '"migrations":["9999_new.sql",')),
      /9999_new.sql.*Update/,
    ],
    [
      'unknown table',
      sealed(text.replace('"table":"projects"', '"table":"pg_authid"').replace('"projects":', '"pg_authid":')),
      /unknown table, pg_authid/,
    ],
    ['unknown column', sealed(text.replace('"columns":["', '"columns":["later","')), /unknown columns.*later/],
    ['a model without a name', sealed(text.replace(/(?<="id": ?)(\d+)/, '"$1"')), /models are not as/],
    ['goes on behind its end', gzipSync(`${text}${lines.at(-1)}\n`), /goes on after its end/],
    ['fewer rows than counted', sealed(lines.filter((line) => !line.includes('"uncached"')).join('\n')), /query_usage/],
  ]
  await target.sql`delete from projects`
  for (const [name, content, expected] of cases) {
    const bad = join(folder, 'bad.gz')
    writeFileSync(bad, content)
    assert.match(await messageOf(restoreBackup(target.sql, bad)), expected, name)
    const [row] = await target.sql<{ count: number }[]>`select count(*)::int as count from projects`
    assert.is(row?.count, 0, name)
  }
})

test('a whole file is found whole without a database', async () => {
  assert.is((await checkBackup(path)).rows.reviews, 450)
})

test('a backup from before vectors were rounded is restored with rounded ones', async () => {
  const [first = '', ...others] = gunzipSync(readFileSync(path)).toString('utf8').trimEnd().split('\n')
  const header = JSON.parse(first)
  header.migrations = header.migrations.filter((name: string) => name < '0007')
  const end = JSON.parse(others.pop() ?? '')
  const lines = [JSON.stringify(header), ...others].map((line) => `${line}\n`).join('')
  const sha256 = createHash('sha256').update(lines).digest('hex')
  const older = join(folder, 'older.gz')
  writeFileSync(older, gzipSync(`${lines}${JSON.stringify({ ...end, sha256 })}\n`))

  await target.sql`delete from projects`
  await target.sql`delete from embedding_usage`
  await restoreBackup(target.sql, older)
  const [active] = await target.sql`
    select name from embedding_models join installation on embedding_model_id = id`
  assert.is(active?.name, 'planted/i8')
  const rows = await target.sql<{ rounded: string; model: string }[]>`
    select embedding::text as rounded, name as model from excerpts join embedding_models m on m.id = embedding_model_id
    where excerpts.text = 'Second'`
  assert.is(rows.length, 450)
  for (const { rounded, model } of rows) assert.equal([rounded, model], ['[40,127,0]', 'planted/i8'])
})

test('a backup from before words were joined is restored with words that a search finds, judged by nobody yet', async () => {
  const lines = gunzipSync(readFileSync(path)).toString('utf8').trimEnd().split('\n')
  const header = JSON.parse(lines[0] ?? '')
  header.migrations = header.migrations.filter((name: string) => name < '0022')
  let columns: string[] = []
  const older = lines.slice(1, -1).map((text) => {
    const line = JSON.parse(text)
    if (line.table) columns = line.table === 'excerpts' ? line.columns : []
    if (line.columns) {
      const newer = ['verdict_model', 'lexeme_rules']
      return JSON.stringify({ ...line, columns: line.columns.filter((name: string) => !newer.includes(name)) })
    }
    if (!line.rows || columns.length === 0) return text
    const rows = line.rows.map(({ verdict_model: _, ...row }: Record<string, unknown>) =>
      row.text === 'Second' ? { ...row, text: 'Fast Wi-Fi', lexemes: "'fast':1 'wi':2 'fi':3" } : row,
    )
    return JSON.stringify({ rows })
  })
  const body = [JSON.stringify(header), ...older].map((line) => `${line}\n`).join('')
  const end = { ...JSON.parse(lines.at(-1) ?? ''), sha256: createHash('sha256').update(body).digest('hex') }
  const file = join(folder, 'before-0022.gz')
  writeFileSync(file, gzipSync(`${body}${JSON.stringify(end)}\n`))

  await target.sql`delete from projects`
  await target.sql`delete from embedding_usage`
  await restoreBackup(target.sql, file)
  const [found] = await target.sql`
    select count(*)::int as n, count(*) filter (where lexemes @@ 'wifi')::int as joined, max(verdict_model)::int as model
    from excerpts where text = 'Fast Wi-Fi'`
  assert.equal(found, { n: 450, joined: 450, model: 1 })
})

/** The row of `installation` is in the backup. */
const NOTHING_TO_DO = new Set(['0001_init.sql'])

test('what a migration does to rows, a restore does to those of an earlier backup', async () => {
  const folder = new URL('../../server/db/migrations/', import.meta.url)
  const restoring = readFileSync(new URL('../../server/db/backup/restore.ts', import.meta.url), 'utf8')
  for (const name of readdirSync(folder)) {
    const changesRows = /^\s*'?(?:update|delete from|insert into) /m.test(readFileSync(new URL(name, folder), 'utf8'))
    if (changesRows) assert.ok(restoring.includes(name) || NOTHING_TO_DO.has(name), name)
  }
})

test('a backup from before reviews were set aside is restored, with jobs that were never tried', async () => {
  const texts = gunzipSync(readFileSync(path)).toString('utf8').trimEnd().split('\n')
  const header = JSON.parse(texts[0] ?? '')
  header.migrations = header.migrations.filter((name: string) => name < '0010')
  const newer = ['claimed_with', 'abandoned', 'faults', 'set_aside_at']
  let table = ''
  let jobs = 0
  const lines = texts.slice(1, -1).map((text) => {
    const line = JSON.parse(text)
    table = line.table ?? table
    if (table !== 'index_jobs') return text
    if (line.columns)
      return JSON.stringify({ ...line, columns: line.columns.filter((name: string) => !newer.includes(name)) })
    jobs += line.rows.length
    const without = (row: object) => Object.fromEntries(Object.entries(row).filter(([name]) => !newer.includes(name)))
    return JSON.stringify({ rows: line.rows.map(without) })
  })
  const body = [JSON.stringify(header), ...lines].map((line) => `${line}\n`).join('')
  const end = { ...JSON.parse(texts.at(-1) ?? ''), sha256: createHash('sha256').update(body).digest('hex') }
  const older = join(folder, 'before-0010.gz')
  writeFileSync(older, gzipSync(`${body}${JSON.stringify(end)}\n`))
  assert.ok(jobs > 0, 'the backup has jobs')

  await target.sql`delete from projects`
  await target.sql`delete from embedding_usage`
  await restoreBackup(target.sql, older)
  const restored = await target.sql`
    select count(*)::int as n, sum(claimed_with + abandoned + faults)::int as counted, count(set_aside_at)::int as set_aside
    from index_jobs`
  assert.equal(restored[0], { n: jobs, counted: 0, set_aside: 0 })
})

test('a backup shows one moment although writing goes on', async () => {
  const [project] = await source.sql<{ id: string }[]>`select id from projects`
  const writing = (async () => {
    for (let i = 0; i < 20; i++) {
      await source.sql`insert into reviews (project_id, env, source, external_id, text) values (${project?.id ?? ''}, 'test', 'yelp', ${`w-${i}`}, 'x')`
    }
  })()
  const { rows } = await writeBackup(source.sql, createWriteStream(join(folder, 'second.gz')))
  await writing
  assert.is((await checkBackup(join(folder, 'second.gz'))).rows.reviews, rows.reviews)
})

test('a backup that was made while a project is removed is restored without it, and the removal goes on', async () => {
  const [project] = await source.sql<{ id: string }[]>`select id from projects`
  assert.ok(await deleteProject(source.sql, project?.id ?? ''))
  let steps = 1
  assert.is(await purgeDeletedProjects(source.sql, () => steps-- > 0), 0)
  const during = join(folder, 'during.gz')
  const { rows } = await writeBackup(source.sql, createWriteStream(during))
  assert.ok(rows.projects === 1 && rows.reviews > 0 && rows.excerpts > 0, 'a part of it is left')
  await target.sql`delete from projects`
  await target.sql`update embedding_usage set texts = texts + 1`
  const usage = await contents(target.sql)
  await restoreBackup(target.sql, during)
  assert.equal(await listProjects(target.sql), [])
  assert.equal([rows.environments, rows.api_keys], [0, 0], 'by which it is found')
  assert.equal((await contents(target.sql)).embedding_usage, usage.embedding_usage, 'what was embedded here counts on')
  assert.is(await purgeDeletedProjects(target.sql), 1)
  const left = await contents(target.sql)
  for (const table of ['projects', 'reviews', 'excerpts', 'index_jobs']) assert.equal(left[table], [], table)
})

test.run()
