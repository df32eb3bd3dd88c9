/**
 * Peak memory of importing a 10 MiB CSV: of the command that does all by itself with the embedded database, and, when a
 * PostgreSQL server is named, of the command and the server that it talks to. Exits with 1 when one is over its target.
 * Linux only (reads /proc). Needs the built package: `npm run build`.
 *
 *   npx tsx bench/import/memory.ts
 *   npx tsx bench/import/memory.ts --file reviews.json
 *   npx tsx bench/import/memory.ts --database postgres://postgres@127.0.0.1/postgres
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { IMPORT_FILE_BYTES } from '../../src/contract/limits.ts'
import { flags, report } from '../measure.ts'
import { openBenchService } from '../service.ts'
import { sheet } from './sheet.ts'

const TARGET_MB = 400
const options = flags({ database: '', file: '', bytes: String(IMPORT_FILE_BYTES), port: '18787' })
const home = mkdtempSync(join(tmpdir(), 'pullquote-bench-'))
const file = options.file === '' ? join(home, 'sheet.csv') : resolve(options.file)
if (options.file === '') writeFileSync(file, sheet(Number(options.bytes), { ids: false }).csv)

function start(args: readonly string[], env: Record<string, string | undefined> = {}): ChildProcess {
  const command = join(import.meta.dirname, '..', '..', 'bin', 'run.js')
  return spawn(process.execPath, [command, ...args], {
    env: { ...process.env, PULLQUOTE_HOME: home, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** The most that a process has held so far, in MB; 0 for one that has just ended. */
function peakOf(child: ChildProcess): number {
  const kilobytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]
  return Math.round((Number(kilobytes ?? 0) * 1024) / 1e6)
}

/** Runs a command to its end, and returns the most that it held. */
async function finished(child: ChildProcess): Promise<number> {
  let peak = 0
  const timer = setInterval(() => {
    if (child.exitCode === null) peak = Math.max(peak, peakOf(child))
  }, 50)
  const [code] = await once(child, 'exit')
  clearInterval(timer)
  if (code !== 0) throw new Error(`the command ended with ${code}`)
  return peak
}

await finished(start(['projects', 'create', 'bench', '--plan', 'paid']))
const peaks: Record<string, number> = {
  'the command by itself, with the embedded database': await finished(start(['reviews', 'import', file])),
}
if (options.database !== '') Object.assign(peaks, await throughServer())
report(
  `peak memory of importing ${(statSync(file).size / 1024 / 1024).toFixed(1)} MiB, MB (target ${TARGET_MB})`,
  peaks,
)
rmSync(home, { recursive: true, force: true })
if (Object.values(peaks).some((peak) => peak > TARGET_MB)) process.exitCode = 1

async function throughServer(): Promise<Record<string, number>> {
  const service = await openBenchService(options.database)
  await service.worker.stop()
  const url = `http://127.0.0.1:${options.port}`
  const server = start(['serve', '--port', options.port], {
    DATABASE_URL: service.database.url,
    PULLQUOTE_HOME: join(home, 'server'),
  })
  process.once('exit', () => server.kill())
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) await new Promise((resolve) => setTimeout(resolve, 200))
  const idle = peakOf(server)
  const command = await finished(start(['reviews', 'import', file, '--url', url], { PULLQUOTE_KEY: service.keys[0] }))
  const busy = peakOf(server)
  server.kill()
  await once(server, 'exit')
  await service.close()
  return {
    'the server on PostgreSQL, before': idle,
    'the server on PostgreSQL': busy,
    'the command that uploads to it': command,
  }
}
