/**
 * The service of `cached.ts` on a database that is already filled: what `pullquote serve` starts. Prints its address.
 * With --no-metrics its metrics count nothing.
 */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Counter, Histogram } from 'prom-client'
import { readConfig } from '../../server/config.ts'
import { startServer } from '../../server/start.ts'

if (process.argv.includes('--no-metrics')) {
  Histogram.prototype.observe = () => {}
  Counter.prototype.inc = () => {}
}
const home = await mkdtemp(join(tmpdir(), 'pullquote-bench-'))
const env = { DATABASE_URL: process.argv[2], PULLQUOTE_HOME: home, PULLQUOTE_LOG_LEVEL: 'warn' }
const { url } = await startServer(readConfig(env, { port: 0 }))
console.log(url)
