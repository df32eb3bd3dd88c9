/**
 * The child process of `test/run.ts`: runs the test files that it is sent, one after another, and reports each result. After
 * disconnecting it ends as soon as nothing is open any more that would keep a process alive; what a test left open it names.
 */
import { readFileSync, writeSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { countThreads, openResources } from './open-resources.ts'
import { type Message, NOTHING_OPEN } from './slot.ts'

countThreads()
// Makes uvu run registered tests only when `exec` is called.
Object.assign(globalThis, { UVU_DEFER: true })
const { exec } = await import('uvu')
const { followTests, takeCounts } = await import('./suite.ts')
const { closeShared, startSharing } = await import('./shared.ts')
const { runBuiltThreads } = await import('./built-threads.ts')

/** Shorter than END_LIMIT_MS in slot.ts. */
const STILL_OPEN_MS = 20_000
const LOOK_AGAIN_MS = 20
const tell = (message: Message) => process.send?.(message)
const { env } = process
let turn = Promise.resolve()

if (process.env.PULLQUOTE_TEST_CLI) runBuiltThreads(process.env.PULLQUOTE_TEST_CLI)
followTests((test) => tell({ type: 'test', test }))
process.on('message', (message: { file: string; shared: boolean }) => {
  turn = turn.then(() => runFile(message))
})
process.on('disconnect', () => {
  turn = turn.then(closeShared).then(endOnceNothingIsOpen)
})
tell({ type: 'ready' })

/**
 * Kills this process instead of letting it exit: Node's own exit can wait forever for a compiler thread that waits for a
 * garbage collection (nodejs/node#54918). Two of some sixty runs of CI failed by a process that was neither busy nor held open
 * by anything, and most likely by that.
 */
function endOnceNothingIsOpen(): void {
  const end = () => {
    writeSync(1, NOTHING_OPEN)
    process.kill(process.pid, 'SIGKILL')
  }
  setInterval(() => openResources().length === 0 && end(), LOOK_AGAIN_MS).unref()
  // Node also lists what keeps nothing alive, such as a socket that nobody reads.
  process.on('beforeExit', end)
  setTimeout(() => console.error('still open:', openResources().join(', ')), STILL_OPEN_MS).unref()
}

async function runFile({ file, shared }: { file: string; shared: boolean }): Promise<void> {
  if (shared) startSharing()
  const before = processorSeconds()
  const open = lastingResources()
  let broken = 0
  try {
    Reflect.set(globalThis, 'UVU_QUEUE', [[null]])
    await import(pathToFileURL(file).href)
    await exec()
  } catch (error) {
    console.error(error)
    broken = 1
  }
  if (process.env !== env) {
    // A copy is not the real environment: `os.tmpdir()` in later files would ignore changes to it.
    console.error('process.env was replaced and not put back')
    process.env = env
    broken = 1
  }
  const counts = takeCounts()
  // uvu sets it when a test fails, which the counts report already.
  process.exitCode = 0
  tell({
    type: 'done',
    ...counts,
    failed: counts.failed + broken,
    processorSeconds: processorSeconds() - before,
    megabytes: process.memoryUsage.rss() / 1e6,
    leftOpen: lastingResources().filter((name) => !remove(open, name)),
  })
}

/** CPU time of this process and, on Linux, of its children that have ended. */
function processorSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + childrensSeconds()
}

function childrensSeconds(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ')
    return (Number(fields[13]) + Number(fields[14])) / 100
  } catch {
    return 0
  }
}

function lastingResources(): string[] {
  return openResources().filter((name) => !/^(?:Immediate|CloseReq|.*Req.*)$/.test(name))
}

function remove(names: string[], name: string): boolean {
  const at = names.indexOf(name)
  if (at >= 0) names.splice(at, 1)
  return at >= 0
}
