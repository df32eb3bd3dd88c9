import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import * as assert from 'uvu/assert'
import { CLI, environmentOf, newHome } from '../cli/run-cli.ts'
import { serveSample } from '../sample-home.ts'
import { suite } from '../suite.ts'
import { until } from '../waiting.ts'

const test = suite('npm run demo')
const root = join(import.meta.dirname, '..', '..')
const demo = ['--import', 'tsx', join('scripts', 'demo.ts')]

/** A folder in which the script runs the installed command line. Its database has the sample already. */
async function newCheckout(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'pullquote-demo-'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  mkdirSync(join(folder, 'scripts'))
  cpSync(join(root, 'scripts', 'demo.ts'), join(folder, 'scripts', 'demo.ts'))
  for (const name of ['node_modules', 'templates']) symlinkSync(join(root, name), join(folder, name), 'junction')
  symlinkSync(dirname(CLI), join(folder, 'bin'), 'junction')
  const home = newHome()
  const server = await serveSample(home)
  await server.stop()
  renameSync(join(home, 'data'), join(folder, '.pullquote-demo'))
  return folder
}

/**
 * Runs it until `seen` is in its output, and then `act`.
 *
 * @returns its exit code and output when it and all that it started have ended, since they share its output
 */
async function runUntil(seen: RegExp, act: (child: ChildProcess) => void, command = process.execPath, args = demo) {
  const env = environmentOf(newHome())
  const child = spawn(command, args, { cwd: checkout, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const closed = once(child, 'close')
  // The whole group, so that what was left running fails the test and does not outlive it.
  const limit = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), 60_000)
  let shown = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      shown += chunk
    })
  }
  await until(`${seen} is shown`, () => seen.test(shown) || child.exitCode !== null)
  act(child)
  const [code] = await closed
  clearTimeout(limit)
  return { code, shown }
}

let checkout = ''
test.before(async () => {
  checkout = await newCheckout()
})

test('SIGTERM while its server starts ends the server, and the demo with 143', async () => {
  const { code, shown } = await runUntil(/Pullquote demo/, (child) => child.kill('SIGTERM'))
  assert.is(code, 143, shown)
  assert.match(shown, /Stopped before the demo was ready/)
  assert.not.match(shown, /\$ pullquote/)
})

test('SIGINT during one of its commands ends that, the server, and the demo with 130; no other command follows', async () => {
  const { code, shown } = await runUntil(/\$ pullquote reviews push/, (child) => child.kill('SIGINT'))
  assert.is(code, 130, shown)
  assert.not.match(shown, /\$ pullquote query/)
})

test('when the shell that ran it is gone, as after SIGTERM to npm, it ends as well', async () => {
  const line = `'${[process.execPath, ...demo].join("' '")}' & wait`
  const { shown } = await runUntil(/Pullquote demo/, (child) => child.kill('SIGTERM'), 'sh', ['-c', line])
  assert.match(shown, /Stopped before the demo was ready/)
})

test('a signal once it serves stops it in the ordinary way', async () => {
  const { code, shown } = await runUntil(/until Ctrl-C/, (child) => child.kill('SIGINT'))
  assert.is(code, 0, shown)
})

test.run()
