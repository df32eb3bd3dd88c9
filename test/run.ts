/**
 * Runs the tests: `tsx test/run.ts [PATH…]`, every test file below the given paths (default: all), each in a process
 * of its own. The kind of a file stands in its name:
 *   x.test.ts      once
 *   x.db.test.ts   three times: on the embedded database, on PostgreSQL and on Citus
 *   x.pg.test.ts   on PostgreSQL only
 *   x.crash.test.ts on PostgreSQL, which it kills and brings back by TEST_POSTGRES_CONTROL (a command that takes `kill`
 *                  and `restart`); alone, after all others
 *   x.citus.test.ts on Citus only
 * Tests of the command line run it as it is installed, made from the sources at the beginning (installed-cli.ts).
 * PostgreSQL is the server at TEST_DATABASE_URL; without it those runs are skipped, loudly, and in CI they fail. Citus is
 * the cluster whose coordinator is at CITUS_TEST_DATABASE_URL; no package brings it, so without it those runs are skipped in
 * CI too, which test/db/distributable.test.ts makes up for.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import * as v from 'valibot'
import { installCli } from './installed-cli.ts'

const root = join(import.meta.dirname, '..')
/** The slowest file took 385 s on two cores with a load of 19. */
const FILE_TIMEOUT_MS = 600_000
const counts = v.object({ passed: v.number(), failed: v.number(), skipped: v.number() })

interface Run {
  file: string
  database: 'embedded' | 'postgres' | 'citus' | undefined
}

async function testFiles(paths: string[]): Promise<string[]> {
  const found: string[] = []
  for (const path of paths) {
    if ((await stat(path)).isFile()) found.push(path)
    else {
      const entries = await readdir(path, { recursive: true })
      found.push(...entries.filter((name) => name.endsWith('.test.ts')).map((name) => join(path, name)))
    }
  }
  return [...new Set(found)].sort()
}

function runsOf(file: string): Run[] {
  if (file.endsWith('.db.test.ts')) {
    return [
      { file, database: 'embedded' },
      { file, database: 'postgres' },
      { file, database: 'citus' },
    ]
  }
  if (file.endsWith('.citus.test.ts')) return [{ file, database: 'citus' }]
  return [{ file, database: /\.(pg|crash)\.test\.ts$/.test(file) ? 'postgres' : undefined }]
}

const reports = mkdtempSync(join(tmpdir(), 'pullquote-tests-'))
let serial = 0

/** Runs one file and returns its counts; a file that reports nothing, or no test at all, is a failure. */
async function runFile(run: Run): Promise<{ passed: number; failed: number; skipped: number }> {
  const report = join(reports, `${serial++}.json`)
  const env: NodeJS.ProcessEnv = { ...process.env, PULLQUOTE_TEST_REPORT: report, NODE_NO_WARNINGS: '1' }
  delete env.DATABASE_URL
  if (run.database) env.PULLQUOTE_TEST_DATABASE = run.database
  const child = spawn(process.execPath, ['--import', 'tsx', run.file], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    child.kill('SIGKILL')
  }, FILE_TIMEOUT_MS)
  const started = Date.now()
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  clearTimeout(timer)
  const label = `${relative(root, run.file)}${run.database ? ` (${run.database})` : ''}`
  const result = readCounts(report)
  const problems = [
    timedOut && `was stopped after ${FILE_TIMEOUT_MS / 1000} s`,
    !result && 'reported nothing',
    result && result.passed + result.failed + result.skipped === 0 && 'has no test',
    result && result.failed === 0 && code !== 0 && `exited with ${code}`,
  ].filter((problem) => typeof problem === 'string')
  const failed = (result?.failed ?? 0) + problems.length
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  console.log(
    `${failed > 0 ? 'FAIL' : ' ok '} ${label}: ${result?.passed ?? 0} passed, ${failed} failed (${seconds} s)`,
  )
  if (failed > 0) console.log(output)
  else for (const line of output.split('\n')) if (line.startsWith('SKIPPED')) console.log(line)
  for (const problem of problems) console.log(`     ${label} ${problem}`)
  return { passed: result?.passed ?? 0, failed, skipped: result?.skipped ?? 0 }
}

function readCounts(report: string) {
  try {
    return v.parse(counts, JSON.parse(readFileSync(report, 'utf8')))
  } catch {
    return undefined
  }
}

const paths = process.argv.slice(2)
const files = await testFiles(paths.length > 0 ? paths : [join(root, 'test')])
const total = { passed: 0, failed: 0, skipped: 0 }

/** What a run needs and this environment lacks. In CI that is a failure, elsewhere a loud skip. */
function missing(run: Run): string | undefined {
  if (run.database === 'postgres' && !process.env.TEST_DATABASE_URL) return 'TEST_DATABASE_URL'
  if (isCrashTest(run) && !process.env.TEST_POSTGRES_CONTROL) return 'TEST_POSTGRES_CONTROL'
  return undefined
}

function isCrashTest(run: Run): boolean {
  return run.file.endsWith('.crash.test.ts')
}

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
const queue = runnable.filter((run) => !isCrashTest(run))
if (runnable.length === 0 && total.skipped === 0) {
  console.log('no test file found')
  total.failed++
}

/** Whether the file runs commands in processes of their own. */
function usesCli({ file }: Run): boolean {
  return /\/(run-cli|serve-process|server-process|shell|console-stage)\.ts'/.test(readFileSync(file, 'utf8'))
}

const installed = runnable.some(usesCli) ? installCli() : undefined
if (installed) process.env.PULLQUOTE_TEST_CLI = join(installed, 'bin', 'run.js')

async function countRun(run: Run): Promise<void> {
  const result = await runFile(run)
  total.passed += result.passed
  total.failed += result.failed
  total.skipped += result.skipped
}

await Promise.all(
  Array.from({ length: Math.min(4, availableParallelism()) }, async () => {
    for (let run = queue.shift(); run; run = queue.shift()) await countRun(run)
  }),
)
for (const run of runnable.filter(isCrashTest)) await countRun(run)
rmSync(reports, { recursive: true, force: true })
if (installed) rmSync(installed, { recursive: true, force: true })
if (total.skipped > 0) console.log(`\n${total.skipped} skipped: see the lines that begin with SKIPPED`)
// The last line has one form, whatever was left out.
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed > 0 ? 1 : 0
