/**
 * Peak memory of importing a 10 MiB CSV: of the command and the server that it talks to, on PostgreSQL, and of the command
 * that does all by itself with the embedded database. Linux only (reads /proc). Needs the built package: `npm run build`.
 *
 *   npx tsx bench/import/memory.ts --database postgres://postgres@127.0.0.1/postgres
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { IMPORT_FILE_BYTES } from '../../src/contract/limits.ts'
import { flags, report } from '../measure.ts'
import { openBenchService } from '../service.ts'
import { sheet } from './sheet.ts'

const options = flags({ database: '', bytes: String(IMPORT_FILE_BYTES), port: '18787' })
const home = mkdtempSync(join(tmpdir(), 'pullquote-bench-'))
const file = join(home, 'sheet.csv')
writeFileSync(file, sheet(Number(options.bytes), { ids: false }).csv)

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
const alone = await finished(start(['reviews', 'import', file]))

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

report(`peak memory of importing ${(Number(options.bytes) / 1024 / 1024).toFixed(1)} MiB, MB (target 400)`, {
  'the server on PostgreSQL, before': idle,
  'the server on PostgreSQL': peakOf(server),
  'the command that uploads to it': command,
  'the command by itself, with the embedded database': alone,
})
server.kill()
await once(server, 'exit')
await service.close()
rmSync(home, { recursive: true, force: true })
