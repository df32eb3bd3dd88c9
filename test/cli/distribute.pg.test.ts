import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { createPostgresDatabase } from '../database.ts'
import { suite } from '../suite.ts'
import { dataFolderOf, newHome, runCli } from './run-cli.ts'

const test = suite('pullquote database distribute without a cluster')

test('is refused in words by the embedded database, and by a PostgreSQL without Citus', async () => {
  const embedded = await runCli(newHome(), ['database', 'distribute', '--yes'])
  assert.is(embedded.code, 1)
  assert.match(embedded.stderr, /There is no DATABASE_URL.*\n.*set DATABASE_URL/i)
  const { url, drop } = await createPostgresDatabase()
  try {
    for (const flag of ['--dry-run', '--yes']) {
      const plain = await runCli(newHome(), ['database', 'distribute', flag], { env: { DATABASE_URL: url } })
      assert.is(plain.code, 1)
      assert.match(plain.stderr.replace(/\s+/g, ' '), /no extension Citus.*CREATE EXTENSION citus/)
    }
    const home = newHome()
    mkdirSync(dataFolderOf(home), { recursive: true })
    writeFileSync(join(dataFolderOf(home), 'config.env'), `DATABASE_URL=${url}\n`)
    const named = await runCli(home, ['database', 'distribute', '--dry-run'])
    assert.match(named.stderr.replace(/\s+/g, ' '), /no extension Citus/, 'the configuration file counts')
  } finally {
    await drop()
  }
})

test.run()
