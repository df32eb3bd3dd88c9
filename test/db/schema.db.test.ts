import { readFile } from 'node:fs/promises'
import * as assert from 'uvu/assert'
import { describeSchema } from '../../scripts/describe-schema.ts'
import { openTestDatabase } from '../database.ts'
import { suite } from '../suite.ts'

const test = suite('schema.sql')
const committed = () => readFile(new URL('../../server/db/schema.sql', import.meta.url), 'utf8')

test('shows the database that the migrations make (else run: npx tsx scripts/dump-schema.ts)', async () => {
  const { sql, close } = await openTestDatabase()
  try {
    assert.fixture(await describeSchema(sql), await committed())
  } finally {
    await close()
  }
})

test('can be run, and leaves nothing out', async () => {
  const { sql, close } = await openTestDatabase()
  try {
    await sql.begin(async (tx) => {
      await tx.unsafe('create schema again; set local search_path = again, public')
      await tx.unsafe(await committed())
      assert.fixture(await describeSchema(tx), await committed())
    })
  } finally {
    await close()
  }
})

test('primary keys and unique constraints of review data lead with the project', async () => {
  const { sql, close } = await openTestDatabase()
  try {
    const rows = await sql<{ table: string; column: string }[]>`
      select conrelid::regclass::text as table, attname as column
      from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
      where contype in ('p', 'u') and conrelid::regclass::text in ('environments', 'reviews', 'index_jobs', 'excerpts', 'query_usage')`
    assert.is(rows.length, 6)
    assert.ok(rows.every(({ column }) => column === 'project_id'))
  } finally {
    await close()
  }
})

test.run()
