/** Writes server/db/schema.sql from a freshly migrated embedded database: `npx tsx scripts/dump-schema.ts`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '../server/db/embedded/open-embedded.ts'
import { migrate } from '../server/db/migrate.ts'
import { describeSchema } from './describe-schema.ts'

const log = { debug() {}, info() {}, warn: console.warn, error: console.error }
const home = mkdtempSync(join(tmpdir(), 'pullquote-schema-'))
const database = await openEmbedded(home, log)
await migrate(database.sql, log)
writeFileSync(new URL('../server/db/schema.sql', import.meta.url), await describeSchema(database.sql))
await database.close()
rmSync(home, { recursive: true })
