/**
 * A CSV imported into a fresh embedded database, until the last review is indexed, beside pushing the same rows as ready
 * JSON into another. Each run has a process of its own, since a second database in one process is slower; they take turns.
 *
 *   npx tsx bench/import/end-to-end.ts --bytes 10485760 --rounds 3
 */
import { spawnSync } from 'node:child_process'
import { REVIEWS_PER_PUSH } from '../../src/contract/limits.ts'
import { pushAll } from '../ingest/fill.ts'
import { flags, median, report, timed } from '../measure.ts'
import { openBenchService } from '../service.ts'
import { sheet } from './sheet.ts'

const options = flags({ bytes: '2097152', rounds: '3', database: 'embedded', only: '' })
const { csv, rows } = sheet(Number(options.bytes))
const bodies: string[] = []
for (let i = 0; i < rows.length; i += REVIEWS_PER_PUSH) bodies.push(JSON.stringify(rows.slice(i, i + REVIEWS_PER_PUSH)))

const works = {
  async push(): Promise<number> {
    const service = await openBenchService(options.database)
    const ms = await timed(() => pushAll(service, bodies, 1))
    await service.close()
    return ms
  },
  async import(): Promise<number> {
    const service = await openBenchService(options.database)
    const ms = await timed(async () => {
      const headers = { 'content-type': 'text/csv' }
      const response = await service.request('/imports?file_name=sheet.csv', {
        method: 'POST',
        headers,
        body: new Uint8Array(csv),
      })
      const result = (await response.json()) as { inserted: number }
      if (result.inserted !== rows.length) throw new Error(JSON.stringify(result))
      await pushAll(service, [])
    })
    await service.close()
    return ms
  },
}
if (options.only === 'push' || options.only === 'import') {
  const ms = await works[options.only]()
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
  console.log(JSON.stringify({ ms, cpuMs: (userCPUTime + systemCPUTime) / 1000, mb: maxRSS / 1000 }))
  process.exit(0)
}

interface Run {
  ms: number
  /** Processor time of the process, its start included. */
  cpuMs: number
  mb: number
}

function runOf(only: 'push' | 'import'): Run {
  const args = [
    '--import',
    'tsx',
    import.meta.filename,
    '--only',
    only,
    '--bytes',
    options.bytes,
    '--database',
    options.database,
  ]
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Run
}

const runs: Record<'push' | 'import', Run[]> = { push: [], import: [] }
for (let round = 0; round < Number(options.rounds); round++)
  for (const only of round % 2 === 0 ? (['push', 'import'] as const) : (['import', 'push'] as const))
    runs[only].push(runOf(only))

const of = (only: 'push' | 'import', field: keyof Run) => median(runs[only].map((run) => run[field]))
report(`${rows.length} reviews into a fresh database, indexed (${(csv.length / 1024 / 1024).toFixed(1)} MiB)`, {
  'pushed as JSON, reviews/s': Math.round((rows.length / of('push', 'ms')) * 1000),
  'imported from CSV, reviews/s': Math.round((rows.length / of('import', 'ms')) * 1000),
  'import in times of the push (target 1.5 at most)': (of('import', 'ms') / of('push', 'ms')).toFixed(2),
  'the same in processor time': (of('import', 'cpuMs') / of('push', 'cpuMs')).toFixed(2),
  'peak memory of the pushing process, MB': Math.round(of('push', 'mb')),
  'peak memory of the importing process, MB': Math.round(of('import', 'mb')),
})
