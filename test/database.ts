/** A migrated database of a test's own: `PULLQUOTE_TEST_DATABASE` = `embedded` (default), `postgres` or `citus`. */
import { createHash, randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { connect } from '../server/db/connect.ts'
import { openEmbedded } from '../server/db/embedded/open-embedded.ts'
import { migrate } from '../server/db/migrate.ts'
import type { Log, Pool } from '../server/deps.ts'
import { createCitusDatabase } from './citus-database.ts'
import { partition } from './db/partition.ts'

export const silent: Log = { debug() {}, info() {}, warn() {}, error() {} }

export interface TestDatabase {
  sql: Pool
  close(): Promise<void>
}

export async function openTestDatabase(): Promise<TestDatabase> {
  const kind = process.env.PULLQUOTE_TEST_DATABASE
  if (kind === 'postgres') return openServer(await createPostgresDatabase())
  if (kind === 'citus') return openServer(await createCitusDatabase())
  return openEmbeddedCopy()
}

/** A fresh, migrated PostgreSQL database and its address, for tests that start several servers on one. */
export async function createPostgresDatabase({
  migrated = true,
} = {}): Promise<{ url: string; drop(): Promise<void> }> {
  const server = process.env.TEST_DATABASE_URL
  if (!server) throw new Error('TEST_DATABASE_URL is not set')
  const name = `pullquote_test_${randomUUID().replaceAll('-', '')}`
  await asAdministrator(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  if (migrated) {
    const sql = connect({ url: url.href, max: 1 })
    await migrate(sql, silent)
    if (process.env.PULLQUOTE_TEST_PARTITIONED) await partition(sql)
    await sql.end()
  }
  return { url: url.href, drop: () => asAdministrator(server, `drop database if exists ${name} with (force)`) }
}

async function openServer({ url, drop }: { url: string; drop(): Promise<void> }): Promise<TestDatabase> {
  const sql = connect({ url })
  return {
    sql,
    async close() {
      await sql.end({ timeout: 5 })
      await drop()
    },
  }
}

async function asAdministrator(server: string, statement: string): Promise<void> {
  const sql = postgres(server, { max: 1, onnotice() {} })
  await sql.unsafe(statement)
  await sql.end()
}

async function openEmbeddedCopy(): Promise<TestDatabase> {
  const home = await mkdtemp(join(tmpdir(), 'pullquote-test-'))
  await cp(join(await embeddedTemplate(), 'data'), join(home, 'data'), { recursive: true })
  const { sql, close } = await openEmbedded(home, silent)
  return {
    sql,
    async close() {
      await close()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** Making a database takes seconds and copying it a moment, so one is kept for as long as its ingredients stay. */
export async function embeddedTemplate(): Promise<string> {
  const hash = createHash('sha256')
  const migrations = new URL('../server/db/migrations/', import.meta.url)
  for (const name of (await readdir(migrations)).sort()) hash.update(await readFile(new URL(name, migrations)))
  hash.update(await readFile(new URL('../package-lock.json', import.meta.url)))
  const ready = join(tmpdir(), `pullquote-test-template-${process.getuid?.() ?? 0}-${hash.digest('hex').slice(0, 16)}`)
  if (await stat(ready).catch(() => undefined)) return ready
  const draft = await mkdtemp(join(tmpdir(), 'pullquote-test-template-new-'))
  const { sql, close } = await openEmbedded(draft, silent)
  await migrate(sql, silent)
  await close()
  // Two test files may both have made one: the first to finish stays.
  await rename(draft, ready).catch(() => rm(draft, { recursive: true, force: true }))
  return ready
}
