import * as assert from 'uvu/assert'
import { connect } from '../../server/db/connect.ts'
import { createPostgresDatabase } from '../database.ts'
import { suite } from '../suite.ts'
import { newHome, runCli } from './run-cli.ts'

const test = suite('a command on the database of an earlier version, or of none')

test('says that it has updated it, which a server elsewhere may use, and says it once', async () => {
  const { url, drop } = await createPostgresDatabase()
  const sql = connect({ url, max: 1 })
  await sql`delete from schema_migrations where name = '0041_words_with_accents_of_before.sql'`
  await sql.end()
  const said = []
  for (const _ of ['first', 'second']) {
    const { code, stderr } = await runCli(newHome(), ['projects', 'list'], { env: { DATABASE_URL: url } })
    assert.is(code, 0, stderr)
    said.push(/^Note: the database was of an earlier version .* cannot start again: update it\.$/m.test(stderr))
  }
  await drop()
  assert.equal(said, [true, false])
})

test('says that it has created the tables of a database that had none, and says it once', async () => {
  const { url, drop } = await createPostgresDatabase()
  const sql = connect({ url, max: 1 })
  await sql`drop schema public cascade`
  await sql`create schema public`
  await sql`create extension vector`
  await sql.end()
  const said = []
  for (const _ of ['first', 'second']) {
    const { code, stderr } = await runCli(newHome(), ['projects', 'list'], { env: { DATABASE_URL: url } })
    assert.is(code, 0, stderr)
    said.push(/^Note: the database at DATABASE_URL had no tables of Pullquote; they were created\.$/m.test(stderr))
  }
  await drop()
  assert.equal(said, [true, false])
})

test.run()
