import { createWriteStream, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { restoreBackup } from '../../server/db/backup/restore.ts'
import { writeBackup } from '../../server/db/backup/write.ts'
import { migrate } from '../../server/db/migrate.ts'
import type { Sql } from '../../server/deps.ts'
import { openTestDatabase, silent, type TestDatabase } from '../database.ts'
import { Garden } from '../search/planted.ts'
import { suite } from '../suite.ts'

const test = suite('lexemes and the rules that made them')
const folder = mkdtempSync(join(tmpdir(), 'pullquote-lexemes-test-'))
const text = 'Die Kellnerin war gut'
let source: TestDatabase
let target: TestDatabase

test.before(async () => {
  source = await openTestDatabase()
  target = await openTestDatabase()
  const garden = await new Garden(source.sql).open('Rules')
  await garden.plant({ language: 'de', slices: [[text, 0.9]] })
  // A database that another test emptied has a new row of its own.
  await migrate(source.sql, silent)
})
test.after(async () => {
  await source.close()
  await target.close()
})

/** As another PostgreSQL would have them, whose stems queries do not meet. */
const makeOtherwise = (sql: Sql) => sql`update excerpts set lexemes = 'kellnerin'`

async function state(sql: Sql) {
  const [row] = await sql<{ own: boolean; lexemes: string; revision: number; rules: string }[]>`
    select lexemes = excerpt_lexemes(search_config::regconfig, e.text) as own, lexemes::text, revision::int, lexeme_rules as rules
    from installation, excerpts e join environments using (project_id) where environments.env = 'live'`
  if (!row) throw new Error('There is no excerpt')
  return row
}

test('a start makes them anew where others made them, once, and servers load them again', async () => {
  const { sql } = source
  const before = await state(sql)
  assert.match(before.rules, /^[0-9a-f]{32}$/)
  await makeOtherwise(sql)
  await migrate(sql, silent)
  assert.is((await state(sql)).lexemes, "'kellnerin'", 'those of its own rules are not looked at')
  for (const rules of ['of another', null]) {
    await makeOtherwise(sql)
    await sql`update installation set lexeme_rules = ${rules}`
    const { revision } = await state(sql)
    const told: unknown[] = []
    await migrate(sql, { ...silent, info: (fields: object, message: string) => void told.push([message, fields]) })
    assert.equal(told, [
      ['looking whether the words of texts are those that this PostgreSQL makes', {}],
      ['made the words of texts anew, by the rules of this PostgreSQL', { excerpts: 1 }],
    ])
    assert.equal(await state(sql), { ...before, own: true, revision: revision + 1 })
  }
})

test('a backup says by which they were made, and a restore makes anew those of others only', async () => {
  for (const [rules, lexemes] of [
    ['of another', undefined],
    [(await state(source.sql)).rules, "'kellnerin'"],
  ] as const) {
    await source.sql`update installation set lexeme_rules = ${rules}`
    await makeOtherwise(source.sql)
    const path = join(folder, `${lexemes ? 'own' : 'other'}.jsonl.gz`)
    await writeBackup(source.sql, createWriteStream(path))
    await target.sql`delete from projects`
    await restoreBackup(target.sql, path)
    const restored = await state(target.sql)
    assert.is(restored.own, lexemes === undefined)
    if (lexemes) assert.is(restored.lexemes, lexemes)
    assert.match(restored.rules, /^[0-9a-f]{32}$/)
  }
})

test.run()
