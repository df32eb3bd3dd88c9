/**
 * Runs all test files below the given paths (default: all): `tsx test/run.ts [--times] [PATH…]`. A file's name tells how
 * it runs:
 *   x.test.ts      once
 *   x.db.test.ts   three times: on the embedded database, on PostgreSQL and on Citus
 *   x.pg.test.ts   on PostgreSQL only
 *   x.crash.test.ts on PostgreSQL, which it kills and restarts by TEST_POSTGRES_CONTROL (a command that accepts `kill`
 *                  and `restart`); after all others on PostgreSQL
 *   x.citus.test.ts on Citus only
 * Files of one kind run one after another in one process, and share what is slow to open: the embedded database, emptied
 * in between, and the browser. There is one process more than there are processors; further ones take another file only
 * while processors are idle (processor-time.ts), since many files mostly wait. The longest files start first (times.ts). A
 * file with a line `// In a process of its own: <why>` gets one. When a process exits during a file, that file has failed,
 * and the remaining ones run in another process. A single file can be run by itself: `tsx x.test.ts`.
 *
 * Tests of the command line run it as installed, built from the sources at the start (installed-cli.ts): all servers,
 * signals, terminals, and the first command of each topic in the whole run in child processes, the other commands in the
 * test process (cli/in-process.ts). PostgreSQL is the server at TEST_DATABASE_URL; without it those runs are reported as
 * skipped, and fail in CI. Citus is the cluster whose coordinator is at CITUS_TEST_DATABASE_URL; since no package provides
 * it, those runs are skipped without it even in CI, for which test/db/distributable.test.ts compensates.
 *
 * Temporary files are in memory if Linux has room for them (temporary-folder.ts), unless TMPDIR is set.
 * PULLQUOTE_TEST_SLOTS sets the number of processes, without further ones.
 * `--times` lists at the end the duration and CPU time of each file.
 */
import { rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { installCli } from './installed-cli.ts'
import { watchForSpareTime } from './processor-time.ts'
import { isAlone, isCrashTest, labelOf, type Run, runsOf, testFiles, usesCli } from './runs.ts'
import { killAll, Slot } from './slot.ts'
import { folderInMemory, makeTemporaryFolder } from './temporary-folder.ts'
import { expectedSeconds, keepTimes, printTimes, type Time } from './times.ts'
import { transpile } from './transpile.ts'

const root = join(import.meta.dirname, '..')
const CHOSEN_SLOTS = Number(process.env.PULLQUOTE_TEST_SLOTS)
/** Test processes that always run. */
const SLOTS = CHOSEN_SLOTS || Math.min(4, availableParallelism() + 1)
/** Most further processes while processors are idle. */
const EXTRA_SLOTS = CHOSEN_SLOTS ? 0 : 4

/** The variable that a run needs and this environment lacks. In CI that is a failure, elsewhere a reported skip. */
function missing(run: Run): string | undefined {
  if (run.database === 'postgres' && !process.env.TEST_DATABASE_URL) return 'TEST_DATABASE_URL'
  if (isCrashTest(run) && !process.env.TEST_POSTGRES_CONTROL) return 'TEST_POSTGRES_CONTROL'
  return undefined
}

const { values: flags, positionals: paths } = parseArgs({
  options: { times: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const files = await testFiles(paths.length > 0 ? paths : [join(root, 'test')])
const total = { passed: 0, failed: 0, skipped: 0 }
let withoutCitus = 0
const runnable = files.flatMap(runsOf).filter((run) => {
  if (run.database === 'citus') {
    if (process.env.CITUS_TEST_DATABASE_URL) return true
    withoutCitus++
    return false
  }
  const lacking = missing(run)
  if (!lacking) return true
  console.log(`${process.env.CI ? 'FAIL' : 'SKIPPED'} ${relative(root, run.file)} on PostgreSQL: ${lacking} is not set`)
  if (process.env.CI) total.failed++
  else total.skipped++
  return false
})
if (withoutCitus > 0) {
  console.log(`SKIPPED ${withoutCitus} files on Citus: skipped: no Citus (CITUS_TEST_DATABASE_URL is not set)`)
  total.skipped += withoutCitus
}
if (runnable.length === 0 && total.skipped === 0) {
  console.log('no test file found')
  total.failed++
}

/** Temporary files of the whole run. */
const folder = makeTemporaryFolder(folderInMemory())
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  process.on(signal, () => {
    killAll()
    process.exit(code)
  })
}
const times: Time[] = []
const env: NodeJS.ProcessEnv = {
  ...process.env,
  PULLQUOTE_TEST_TMP: folder,
  PULLQUOTE_TEST_TRANSPILED: await transpile(),
}
delete env.DATABASE_URL
const installed = runnable.some(usesCli) ? installCli(join(folder, 'installed')) : undefined
if (installed) env.PULLQUOTE_TEST_CLI = installed

function openSlot({ database }: Run): Slot {
  return new Slot(folder, database ? { ...env, PULLQUOTE_TEST_DATABASE: database } : env)
}

async function runIn(slot: Slot, run: Run, shared: boolean): Promise<void> {
  const { output, problems, seconds, processorSeconds, ...counts } = await slot.run(run.file, { shared })
  const failed = counts.failed + problems.length
  const label = labelOf(run)
  console.log(
    `${failed > 0 ? 'FAIL' : ' ok '} ${label}: ${counts.passed} passed, ${failed} failed (${seconds.toFixed(1)} s, ${processorSeconds.toFixed(1)} of processor)`,
  )
  if (failed > 0) console.log(output)
  else for (const line of output.split('\n')) if (line.startsWith('SKIPPED')) console.log(line)
  for (const problem of problems) console.log(`     ${label} ${problem}`)
  total.passed += counts.passed
  total.failed += failed
  total.skipped += counts.skipped
  times.push({ label, seconds, processorSeconds })
}

async function end(slot: Slot): Promise<void> {
  const problems = await slot.end()
  if (problems.length > 0) {
    total.failed++
    console.log(`FAIL ${problems.join('\n     ')}`)
  }
}

async function runAlone(run: Run): Promise<void> {
  const slot = openSlot(run)
  await runIn(slot, run, false)
  await end(slot)
}

const expected = expectedSeconds()
const secondsOf = new Map(runnable.map((run) => [run, expected(labelOf(run), run.file)]))
/** Longest first, so that none starts when the others end. */
const queue = runnable
  .filter((run) => !isCrashTest(run))
  .sort((a, b) => (secondsOf.get(b) ?? 0) - (secondsOf.get(a) ?? 0))

const crashTests = runnable.filter(isCrashTest)
/** Number of processes per kind of database. */
const working = new Map<Run['database'], number>()

/**
 * The kind of database for the next process: PostgreSQL while no process works on it, since its crash tests come after it;
 * otherwise the one with the most remaining work per process.
 */
function chooseDatabase(): Run['database'] {
  const left = new Map<Run['database'], number>()
  for (const run of queue) left.set(run.database, (left.get(run.database) ?? 0) + (secondsOf.get(run) ?? 0))
  if (left.has('postgres') && !working.get('postgres')) return 'postgres'
  const share = ([database, seconds]: [Run['database'], number]) => seconds / ((working.get(database) ?? 0) + 1)
  return [...left].sort((a, b) => share(b) - share(a))[0]?.[0]
}

function take(database: Run['database']): Run | undefined {
  const at = queue.findIndex((run) => run.database === database)
  return at < 0 ? undefined : queue.splice(at, 1)[0]
}

/** Continuations of extra processes that wait for an idle processor before their next file. */
const waiting: (() => void)[] = []
let extraSlots = 0

/** Resolves when a processor is idle, or when no file is left. */
function spareTime(): Promise<void> {
  return queue.length === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))
}

async function runAll(database: Run['database'], mayBegin: () => Promise<void>): Promise<void> {
  let slot: Slot | undefined
  for (let run = take(database); run; run = take(database)) {
    if (queue.length === 0) for (const goOn of waiting.splice(0)) goOn()
    if (isAlone(run)) await runAlone(run)
    else {
      if (slot && !slot.isReusable) {
        await end(slot)
        slot = undefined
      }
      slot ??= openSlot(run)
      await runIn(slot, run, true)
    }
    await mayBegin()
  }
  if (slot) await end(slot)
}

/** Crash tests kill PostgreSQL, so nothing else may be using it; tests without it continue meanwhile. */
async function runCrashTests(): Promise<void> {
  if (working.get('postgres') || queue.some((run) => run.database === 'postgres')) return
  for (let run = crashTests.shift(); run; run = crashTests.shift()) await runAlone(run)
}

async function work(mayBegin: () => Promise<void>): Promise<void> {
  while (queue.length > 0) {
    const database = chooseDatabase()
    working.set(database, (working.get(database) ?? 0) + 1)
    await runAll(database, mayBegin)
    working.set(database, (working.get(database) ?? 0) - 1)
    await runCrashTests()
  }
  await runCrashTests()
}

const workers = Array.from({ length: SLOTS }, () => work(async () => {}))
watchForSpareTime(() => {
  const goOn = waiting.shift()
  if (goOn) goOn()
  else if (queue.length > 0 && extraSlots++ < EXTRA_SLOTS) workers.push(work(spareTime))
})
for (let at = 0; at < workers.length; at++) await workers[at]
keepTimes(times)
if (flags.times) printTimes(times)
if (total.skipped > 0) console.log(`\n${total.skipped} skipped: see the lines that begin with SKIPPED`)
// The last line always has the same format.
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed > 0 ? 1 : 0
