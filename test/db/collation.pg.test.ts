import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import * as assert from 'uvu/assert'
import { restoreBackup } from '../../server/db/backup/restore.ts'
import { writeBackup } from '../../server/db/backup/write.ts'
import { collationChange, warnAboutTextRules } from '../../server/db/collation.ts'
import { connect } from '../../server/db/connect.ts'
import { migrate } from '../../server/db/migrate.ts'
import type { Pool } from '../../server/deps.ts'
import { newHome, runCli } from '../cli/run-cli.ts'
import { silent } from '../database.ts'
import { Garden } from '../search/planted.ts'
import { suite } from '../suite.ts'

const test = suite('the sorting of texts')
const name = `pullquote_test_collation_${process.pid}`
const url = new URL(process.env.TEST_DATABASE_URL ?? '')
const server = postgres(url.href, { max: 1, onnotice() {} })
url.pathname = name
let sql: Pool

test.before(async () => {
  // The sorting of C, which the server's databases may have, never changes and has no version.
  await server.unsafe(`create database ${name} template template0 encoding 'UTF8' locale_provider icu icu_locale 'en'`)
  sql = connect({ url: url.href })
})
test.after(async () => {
  await sql.end()
  await server.unsafe(`drop database ${name} with (force)`)
  await server.end()
})

test('that changed since the database was made is told by the start and the doctor, with what to run', async () => {
  const warned: string[] = []
  const log = { ...silent, warn: (_: object, message: string) => void warned.push(message) }
  await migrate(sql, log)
  assert.is(await collationChange(sql), undefined)
  const doctor = () => runCli(newHome(), ['doctor', '--json'], { env: { DATABASE_URL: url.href } })
  assert.not.match((await doctor()).stdout, 'collation')

  await sql`update pg_database set datcollversion = '1.2' where datname = ${name}`
  assert.equal(warned, [])
  await migrate(sql, log)
  assert.match(
    warned.join(),
    /sorts texts by version [\d.]+ of its rules, and this database was made with 1\.2: .*REINDEX/,
  )
  const { stdout } = await doctor()
  const finding = JSON.parse(stdout).findings.find(({ check }: { check: string }) => check === 'collation')
  assert.is(finding.status, 'warning')

  for (const statement of finding.hint.match(/[A-Z]+ DATABASE [^;]+;/g)) await sql.unsafe(statement)
  assert.is(await collationChange(sql), undefined)
})

test('capitals that the database does not make small are told by both, and mended by a backup that is restored in another', async () => {
  const ascii = `${name}_ascii`
  const asciiUrl = new URL(url)
  asciiUrl.pathname = ascii
  await server.unsafe(`create database ${ascii} template template0 encoding 'UTF8' locale 'C'`)
  const odd = connect({ url: asciiUrl.href })
  try {
    const warned: string[] = []
    await migrate(odd, { ...silent, warn: (_: object, message: string) => void warned.push(message) })
    assert.match(warned.join(), /\(LC_CTYPE C\) makes the letters ÉI small as Éi: .*LOCALE 'C\.UTF-8'/)
    await (await new Garden(odd).open('Café')).plant({ slices: [['Übernachtung super', 0.9]] })
    const lexemes = async (sql: Pool) => (await sql`select lexemes::text as words from excerpts`)[0]?.words
    assert.match(await lexemes(odd), 'Übernacht')
    const path = join(newHome(), 'backup.jsonl.gz')
    await writeBackup(odd, createWriteStream(path))
    await restoreBackup(sql, path)
    assert.match(await lexemes(sql), 'übernacht')

    const { stdout } = await runCli(newHome(), ['doctor', '--json'], { env: { DATABASE_URL: asciiUrl.href } })
    const finding = JSON.parse(stdout).findings.find(({ check }: { check: string }) => check === 'collation')
    assert.is(finding.status, 'warning')
  } finally {
    await odd.end()
    await server.unsafe(`drop database ${ascii} with (force)`)
  }
})

test('of a locale provider that does not know them are told with its locale, and what is run instead has none of it', async () => {
  const [{ major = 0 } = {}] = await server<{ major: number }[]>`
    select current_setting('server_version_num')::int / 10000 as major`
  // Before 18 the text search asks LC_CTYPE for all of it.
  const odd = [
    ["lc_ctype 'C' icu_locale 'en'", major < 18 ? 'ÉI small as Éi' : 'takes signs such as ’ for letters'],
    ["lc_ctype 'C.UTF-8' icu_locale 'tr'", major < 18 ? '' : 'C.UTF-8, locale tr) makes the letters ÉI small as éı'],
  ] as const
  for (const [locale, told] of odd) {
    const warned = await warningsOf(`encoding 'UTF8' locale_provider icu lc_collate 'C' ${locale} template template0`)
    if (told === '') assert.is(warned, '')
    else assert.ok(warned.includes(told), warned)
    const hinted = /CREATE DATABASE other (.*?);/.exec(warned)?.[1]
    if (hinted) assert.is(await warningsOf(hinted), '')
  }
})

/** What a start warns of in a database that is created so. */
async function warningsOf(options: string): Promise<string> {
  const other = `${name}_other`
  const otherUrl = new URL(url)
  otherUrl.pathname = other
  await server.unsafe(`create database ${other} ${options}`)
  const sql = connect({ url: otherUrl.href })
  try {
    const warned: string[] = []
    await warnAboutTextRules(sql, { ...silent, warn: (_: object, message: string) => void warned.push(message) })
    return warned.join()
  } finally {
    await sql.end()
    await server.unsafe(`drop database ${other} with (force)`)
  }
}

test.run()
