import { once } from 'node:events'
import { createServer } from 'node:net'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { suite } from '../../suite.ts'
import { startFakeServer } from '../fake-server.ts'
import { dataFolderOf, newHome, newHomeWithDatabase, runCli } from '../run-cli.ts'
import { serve } from '../serve-process.ts'

const test = suite('the command line where a database is not the one that is meant')

const CREATED = 'an empty one was created'
const OTHER = 'with other data'

test('whoever asks beside a server, without its PULLQUOTE_HOME, is told of it and of the database in use', async () => {
  const server = await serve(await newHomeWithDatabase())
  const here = newHome()
  const env = { PULLQUOTE_PORT: new URL(server.url).port }
  try {
    const first = await runCli(here, ['projects', 'list', '--json'], { env })
    assert.equal(JSON.parse(first.stdout), { projects: [] })
    assert.ok(first.stderr.includes(`there was no database in ${dataFolderOf(here)}; ${CREATED}`), first.stderr)
    assert.ok(first.stderr.includes(`a Pullquote server runs at ${server.url}, ${OTHER}`), first.stderr)

    const second = await runCli(here, ['projects', 'create', 'hotel'], { env })
    assert.is(second.code, 0)
    assert.not.match(second.stderr, CREATED)
    assert.match(second.stderr, OTHER)

    const named = await runCli(here, ['status'], { env: { ...env, PULLQUOTE_HOME: dataFolderOf(here) } })
    assert.not.match(named.stderr, OTHER)
    assert.ok(named.stdout.replace(/\s+/g, '').includes(`in${dataFolderOf(here)}`), named.stdout)
  } finally {
    await server.stop()
  }
  const alone = await runCli(here, ['status'], { env })
  assert.not.match(alone.stderr, OTHER)
})

test('another program at that port is not taken for a server', async () => {
  const program = await startFakeServer(() => ({ body: { status: 'ok' } }))
  const here = await newHomeWithDatabase()
  const { code, stderr } = await runCli(here, ['status'], { env: { PULLQUOTE_PORT: new URL(program.url).port } })
  assert.is(code, 0)
  assert.is(program.seen.length, 1)
  assert.not.match(stderr, OTHER)
  await program.close()
})

test('a program at that port that never answers keeps no command waiting', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const here = await newHomeWithDatabase()
  const address = v.parse(v.object({ port: v.number() }), silent.address())
  const { code, stderr } = await runCli(here, ['status'], { env: { PULLQUOTE_PORT: String(address.port) } })
  assert.is(code, 0)
  assert.not.match(stderr, OTHER)
  silent.close()
})

test.run()
