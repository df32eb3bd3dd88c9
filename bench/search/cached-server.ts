/** The service of `cached.ts` on a database that is already filled: what `pullquote serve` starts. Prints its address. */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../server/config.ts'
import { startServer } from '../../server/start.ts'

const home = await mkdtemp(join(tmpdir(), 'pullquote-bench-'))
const env = { DATABASE_URL: process.argv[2], PULLQUOTE_HOME: home, PULLQUOTE_LOG_LEVEL: 'warn' }
const { url } = await startServer(readConfig(env, { port: 0 }))
console.log(url)
