/**
 * Rows a second of reading a 10 MiB CSV into checked reviews (parse, map, normalize, validate), beside csv-parse alone on
 * the same bytes in the same run, in processor time and in turn, since other work on the machine would distort the clock.
 *
 *   npx tsx bench/import/read.ts
 */
import { parse } from 'csv-parse/sync'
import { IMPORT_FILE_BYTES } from '../../src/contract/limits.ts'
import { prepareImport } from '../../src/importer/rows/prepare.ts'
import { flags, report } from '../measure.ts'
import { sheet } from './sheet.ts'

const options = flags({ bytes: String(IMPORT_FILE_BYTES), rounds: '15' })

function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

async function measured(work: () => Promise<unknown> | unknown): Promise<number> {
  const start = processorMs()
  await work()
  return processorMs() - start
}

for (const ids of [true, false]) {
  const { csv, rows } = sheet(Number(options.bytes), { ids })
  const alone: number[] = []
  const whole: number[] = []
  let peak = 0
  for (let round = 0; round < Number(options.rounds); round++) {
    alone.push(await measured(() => parse(csv, { bom: true, relax_quotes: true, relax_column_count: true })))
    whole.push(
      await measured(async () => {
        const prepared = await prepareImport([{ name: 'sheet.csv', bytes: csv }])
        if (prepared.rows.length !== rows.length) throw new Error(`${prepared.rows.length} of ${rows.length} rows`)
      }),
    )
    peak = Math.max(peak, process.memoryUsage().rss)
  }
  // The round that other work on the machine disturbed least.
  const [parsed, imported] = [Math.min(...alone), Math.min(...whole)]
  report(
    `reading ${rows.length} rows, ${(csv.length / 1024 / 1024).toFixed(1)} MiB, ${ids ? 'with ids' : 'ids made of the rows'}`,
    {
      'csv-parse alone, rows/s': Math.round((rows.length / parsed) * 1000),
      'checked reviews, rows/s': Math.round((rows.length / imported) * 1000),
      'share of csv-parse alone (target 0.5)': (parsed / imported).toFixed(2),
      'peak memory, MB (target 400)': Math.round(peak / 1e6),
    },
  )
}
