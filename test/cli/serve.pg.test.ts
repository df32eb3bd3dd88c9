import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { createPostgresDatabase } from '../database.ts'
import { suite } from '../suite.ts'
import { newHome, runCli } from './run-cli.ts'

const test = suite('pullquote serve')

test('says where the data is, also when the configuration file tells it', async () => {
  const { url, drop } = await createPostgresDatabase()
  const home = newHome()
  writeFileSync(join(home, 'config.env'), `DATABASE_URL=${url}\n`)
  const { code, stdout } = await runCli(home, ['serve', '--port', '0'], {
    env: { PULLQUOTE_HOME: home },
    onStart: (child) => child.stdout.once('data', () => child.kill('SIGTERM')),
  })
  await drop()
  assert.match(stdout, /^Pullquote serves at http:\/\/127\.0\.0\.1:\d+ \(data: DATABASE_URL\)$/m)
  assert.is(code, 0)
})

test.run()
