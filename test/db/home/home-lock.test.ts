import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { HomeUnusable } from '../../../server/db/home/folder-errors.ts'
import { acquireHome, HomeInUse, readHomeHolder } from '../../../server/db/home/home-lock.ts'
import { childArguments } from '../../child.ts'
import { suite } from '../../suite.ts'
import { until } from '../../waiting.ts'

const test = suite('the lock of the home folder')
const script = await childArguments(new URL('./home-lock-child.ts', import.meta.url).pathname)
let home: string
const children: ChildProcess[] = []

test.before.each(async () => {
  home = await mkdtemp(join(tmpdir(), 'pullquote-lock-'))
})
test.after.each(async () => {
  for (const child of children.splice(0)) await killed(child)
  await rm(home, { recursive: true, force: true })
})

const lockPath = () => join(home, 'server.json')
const readLock = async () => JSON.parse(await readFile(lockPath(), 'utf8'))
const writeLock = (content: object) => writeFile(lockPath(), JSON.stringify(content))

/** Starts a process that takes the folder at `startAt`; resolves with what it says. */
function startChild(startAt = 0): { child: ChildProcess; said: Promise<string> } {
  const child = spawn(process.execPath, [...script, home, String(startAt)], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const said = new Promise<string>((resolve) => child.stdout.once('data', (chunk) => resolve(String(chunk).trim())))
  return { child, said }
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await new Promise((resolve) => child.once('exit', resolve))
}

async function codeOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'done',
    (error) => error.code ?? error,
  )
}

test('is taken, seen by others and given back', async () => {
  const lock = await acquireHome(home)
  assert.equal(await readHomeHolder(home), { pid: process.pid })
  await lock.publish({ url: 'http://127.0.0.1:1', operatorToken: 'secret' })
  assert.equal(await readHomeHolder(home), { pid: process.pid, url: 'http://127.0.0.1:1', operatorToken: 'secret' })
  assert.is((await stat(lockPath())).mode & 0o777, 0o600)
  await lock.release()
  await lock.release()
  assert.is(await readHomeHolder(home), undefined)
  assert.equal(await readdir(home), [])
})

test('a folder that does not exist is made, for this user alone', async () => {
  const deep = join(home, 'a', 'b')
  const lock = await acquireHome(deep)
  assert.is((await stat(deep)).mode & 0o777, 0o700)
  await lock.release()
})

test('a second holder is refused and told who holds it and where it answers', async () => {
  const lock = await acquireHome(home)
  await lock.publish({ url: 'http://127.0.0.1:8787', operatorToken: 'secret' })
  try {
    await acquireHome(home)
    assert.unreachable()
  } catch (error) {
    assert.instance(error, HomeInUse)
    assert.match(String(error), `process ${process.pid}, answering at http://127.0.0.1:8787`)
    assert.not.match(String(error), 'secret')
  }
  assert.equal(await readdir(home), ['server.json'])
  await lock.release()
})

test('another process is refused while the holder lives, and takes over when it was killed', async () => {
  const { child, said } = startChild()
  assert.is(await said, 'held')
  const refused: unknown = await acquireHome(home).catch((error) => error)
  assert.instance(refused, HomeInUse)
  assert.match(String(refused), /, a command or a server that is starting: try again in a moment\. Stop that process/)
  assert.is((await readHomeHolder(home))?.pid, child.pid)
  await killed(child)
  assert.is(await readHomeHolder(home), undefined)
  const lock = await acquireHome(home)
  assert.is((await readLock()).pid, process.pid)
  assert.equal(await readdir(home), ['server.json'])
  await lock.release()
})

test('of many that race for a stale lock exactly one wins, round after round', async () => {
  for (let round = 0; round < 3; round++) {
    const { child, said } = startChild()
    assert.is(await said, 'held')
    await killed(child)
    const startAt = Date.now() + 4_000
    const racers = Array.from({ length: 6 }, () => startChild(startAt))
    const answers = await Promise.all(racers.map((racer) => racer.said))
    assert.is(answers.filter((answer) => answer === 'held').length, 1, answers.join(' '))
    assert.is(answers.filter((answer) => answer === 'home_in_use').length, 5, answers.join(' '))
    const winner = racers[answers.indexOf('held')]?.child
    assert.is((await readLock()).pid, winner?.pid)
    assert.equal(await readdir(home), ['server.json'])
    for (const racer of racers) await killed(racer.child)
  }
})

test('of many that race within one process for a stale lock exactly one wins', async () => {
  const dead = { nonce: 'n', pid: 999_999_999, started: '1', scope: '' }
  for (let round = 0; round < 20; round++) {
    const lock = await acquireHome(home)
    dead.scope = (await readLock()).scope
    await lock.release()
    await writeLock(dead)
    const answers = await Promise.allSettled(Array.from({ length: 20 }, () => acquireHome(home)))
    const won = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    assert.is(won.length, 1)
    await won[0]?.release()
    assert.equal(await readdir(home), [])
  }
})

test('a number that now belongs to another process does not count as alive', async () => {
  const lock = await acquireHome(home)
  const mine = await readLock()
  await lock.release()
  await writeLock({ ...mine, nonce: 'earlier', started: `${mine.started}0` })
  assert.is(await readHomeHolder(home), undefined)
  await (await acquireHome(home)).release()
})

test('one who died while taking over is taken over in turn', async () => {
  const lock = await acquireHome(home)
  const mine = await readLock()
  await lock.release()
  const dead = { ...mine, pid: 999_999_999 }
  await writeLock({ ...dead, nonce: 'first' })
  await writeFile(`${lockPath()}.first`, JSON.stringify({ ...dead, nonce: 'second' }))
  await writeFile(`${lockPath()}.second`, JSON.stringify({ ...dead, nonce: 'third' }))
  const next = await acquireHome(home)
  assert.is((await readLock()).pid, process.pid)
  assert.equal(await readdir(home), ['server.json'])
  await next.release()
})

const FAST = { heartbeatMs: 50, silenceMs: 600 }

test('a holder in another container counts as alive while its heartbeat goes on, and as dead when it stops', async () => {
  const lock = await acquireHome(home)
  const elsewhere = { ...(await readLock()), nonce: 'far', scope: 'another container' }
  await lock.release()
  await writeLock(elsewhere)
  let written = Promise.resolve()
  const beat = setInterval(() => {
    written = utimes(lockPath(), new Date(), new Date())
  }, 100)
  // A process that stands still between two beats is silent.
  assert.is(await codeOf(acquireHome(home, { ...FAST, silenceMs: 5_000 })), 'home_in_use')
  assert.ok(await readHomeHolder(home))
  clearInterval(beat)
  await written
  const next = await acquireHome(home, FAST)
  assert.is((await readLock()).pid, process.pid)
  await next.release()
})

test('the holder leaves a heartbeat', async () => {
  const lock = await acquireHome(home, FAST)
  const before = (await stat(lockPath())).mtimeMs
  await until('it has beaten', async () => (await stat(lockPath())).mtimeMs > before)
  await lock.release()
})

test('a lock that was cut off by a crash is taken over once it is silent', async () => {
  await writeFile(lockPath(), '{"nonce":"x","pi')
  const lock = await acquireHome(home, FAST)
  assert.is((await readLock()).pid, process.pid)
  await lock.release()
})

test('a holder whose lock vanished or was taken is told, and does not remove the other’s', async () => {
  const lock = await acquireHome(home, FAST)
  await writeLock({ nonce: 'other', pid: 1, started: null, scope: '' })
  // The heartbeat alone does not keep a process running.
  const awake = setInterval(() => {}, 50)
  await lock.lost
  clearInterval(awake)
  await lock.release()
  assert.is((await readLock()).nonce, 'other')
})

test('a folder that cannot be used is named with what to do', async () => {
  await writeFile(join(home, 'file'), '')
  for (const path of [join(home, 'file'), join(home, 'file', 'below')]) {
    try {
      await acquireHome(path)
      assert.unreachable()
    } catch (error) {
      assert.instance(error, HomeUnusable)
      assert.is(error instanceof HomeUnusable && error.code, 'home_not_a_folder')
      assert.match(String(error), 'PULLQUOTE_HOME')
    }
  }
})

test('a folder that takes no others is refused, instead of being asked for one without end', async () => {
  if (!existsSync('/proc/self')) return
  const error: unknown = await acquireHome('/proc/pullquote/home').catch((thrown) => thrown)
  assert.instance(error, HomeUnusable)
  assert.is(await codeOf(Promise.reject(error)), 'home_not_writable')
})

test('a link that leads nowhere is told as such, with where it leads', async () => {
  const link = join(home, 'link')
  await symlink(join(home, 'not-mounted'), link)
  const error = await acquireHome(link).catch((refused: unknown) => refused)
  assert.is(error instanceof HomeUnusable && error.code, 'home_not_a_folder')
  assert.match(String(error), `${link} is a link to ${join(home, 'not-mounted')}, which does not exist.`)
})

if (process.getuid?.() === 0) {
  test('a folder of another user is refused with a clear error', async () => {
    // Root may write everywhere, so this process becomes nobody for a moment.
    process.seteuid?.(65_534)
    try {
      assert.is(await codeOf(acquireHome(home)), 'home_not_writable')
      assert.is(await codeOf(acquireHome(join(home, 'below'))), 'home_not_writable')
    } finally {
      process.seteuid?.(0)
    }
  })
} else {
  test.skip('a folder of another user is refused with a clear error', 'only root can become another user')
}

test.run()
