import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { startFakeServer } from './fake-server.ts'
import { CLI, environmentOf, newHome, runCli } from './run-cli.ts'

const test = suite('what cannot work is refused before anything is made')
const database = (home: string) => join(home, 'data', 'pullquote', 'data')

test('serve on a port that is taken makes no database', async () => {
  const other = createServer()
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const home = newHome()
  const { code, stderr } = await runCli(home, ['serve', '--port', String(port)])
  other.close()
  assert.is(code, 1)
  assert.match(stderr, new RegExp(`port ${port}: another program is using this port`))
  assert.is(existsSync(database(home)), false)
})

test('a current folder that was deleted is named, where the database would be called damaged', () => {
  const home = newHome()
  const script = 'mkdir "$HOME/gone" && cd "$HOME/gone" && rmdir "$HOME/gone" && exec "$0" "$1" status'
  const options = { env: environmentOf(home), encoding: 'utf8' } as const
  const { status, stderr } = spawnSync('sh', ['-c', script, process.execPath, CLI], options)
  assert.is(status, 1)
  assert.match(stderr, /Error: the current folder no longer exists\.\n {2}Try: change to another one: cd\n/)
  assert.is(existsSync(database(home)), false)
  const json = spawnSync('sh', ['-c', `${script} --json`, process.execPath, CLI], options)
  assert.is(JSON.parse(json.stderr.slice(json.stderr.indexOf('{'))).error.code, 'no_folder')
})

test('a clone that is not built says how to build it', () => {
  const clone = newHome()
  mkdirSync(join(clone, 'bin'))
  writeFileSync(join(clone, 'package.json'), '{"type":"module"}')
  copyFileSync(join(import.meta.dirname, '..', '..', 'bin', 'run.js'), join(clone, 'bin', 'run.js'))
  const { status, stderr } = spawnSync(process.execPath, [join(clone, 'bin', 'run.js'), 'status'], { encoding: 'utf8' })
  assert.equal(
    [status, stderr],
    [1, 'Error: this clone of Pullquote is not built yet. Run: npm ci --include=dev && npm run build\n'],
  )
})

test('restore of a file that is no backup makes no database', async () => {
  const home = newHome()
  const file = join(home, 'wrong.jsonl.gz')
  writeFileSync(file, 'this is no backup')
  const { code, stderr } = await runCli(home, ['restore', file])
  assert.is(code, 1)
  assert.match(stderr, /backup/)
  assert.is(existsSync(database(home)), false)
})

test('backup to standard output is refused, rather than written into a file called "-"', async () => {
  const { code, stdout, stderr } = await runCli(newHome(), ['backup', '-'])
  assert.equal([code, stdout], [2, ''])
  assert.match(stderr, /this command does not write to standard output/)
})

test('backup into a folder that is missing asks no server', async () => {
  const server = await startFakeServer(() => ({ status: 500 }))
  const home = newHome()
  const env = { PULLQUOTE_OPERATOR_TOKEN: 'operator-token-of-the-tests' }
  const { code, stderr } = await runCli(home, ['backup', join(home, 'no', 'b.gz'), '--url', server.url], { env })
  await server.close()
  assert.equal([code, server.seen.length], [1, 0])
  assert.match(stderr, /there is no folder .*no; .*b\.gz was not written/)
  assert.match(stderr, /mkdir -p/)
})

test.run()
