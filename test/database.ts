/** Opens a migrated database for a test: `PULLQUOTE_TEST_DATABASE` = `embedded` (default), `postgres` or `citus`. */
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import postgres from 'postgres'
import { watchCluster } from '../server/db/cluster-watch.ts'
import { connect } from '../server/db/connect.ts'
import { type Embedded, openEmbedded } from '../server/db/embedded/open-embedded.ts'
import { SERVER_TUNING } from '../server/db/embedded/thread.ts'
import { rebuildStaleLexemes } from '../server/db/lexeme-rules.ts'
import { migrate } from '../server/db/migrate.ts'
import type { Log, Pool } from '../server/deps.ts'
import { createCitusDatabase } from './citus-database.ts'
import { copyDataFolder } from './copy-data-folder.ts'
import { partition } from './db/partition.ts'
import { closeAtEnd, isShared } from './shared.ts'

export const silent: Log = { debug() {}, info() {}, warn() {}, error() {} }

export interface TestDatabase {
  sql: Pool
  close(): Promise<void>
}

export async function openTestDatabase(): Promise<TestDatabase> {
  const kind = process.env.PULLQUOTE_TEST_DATABASE
  if (kind === 'postgres') return openServer(await createPostgresDatabase())
  if (kind === 'citus') return openServer(await createCitusDatabase())
  return openEmbeddedDatabase()
}

/** Creates a PostgreSQL database, by default migrated, for tests that start several servers on one. */
export async function createPostgresDatabase({
  migrated = true,
} = {}): Promise<{ url: string; drop(): Promise<void> }> {
  const server = process.env.TEST_DATABASE_URL
  if (!server) throw new Error('TEST_DATABASE_URL is not set')
  const name = `pullquote_test_${randomUUID().replaceAll('-', '')}`
  if (migrated) postgresTemplate ??= makePostgresTemplate(server)
  const template = migrated ? await postgresTemplate : 'template1'
  await asAdministrator(server, (sql) => sql.unsafe(`create database ${name} template ${template}`))
  const url = onServer(server, name)
  if (migrated && process.env.PULLQUOTE_TEST_PARTITIONED) {
    const sql = connect({ url, max: 1 })
    await partition(sql)
    await sql.end()
  }
  return {
    url,
    drop: () => asAdministrator(server, (sql) => sql.unsafe(`drop database if exists ${name} with (force)`)),
  }
}

let postgresTemplate: Promise<string> | undefined

/** Creates a migrated template database, which stays on the server until the migrations change. @returns its name */
async function makePostgresTemplate(server: string): Promise<string> {
  const ready = `pullquote_template_${await hashOf(await migrationFiles())}`
  const draft = `${ready}_draft`
  await asAdministrator(server, async (sql) => {
    // Released with the connection. A concurrent process waits here and then finds the template.
    await sql`select pg_advisory_lock(hashtext(${ready}))`
    const [found] = await sql`select from pg_database where datname = ${ready}`
    if (found) return
    await sql.unsafe(`drop database if exists ${draft} with (force)`)
    await sql.unsafe(`create database ${draft}`)
    const inDraft = connect({ url: onServer(server, draft), max: 1 })
    await migrate(inDraft, silent)
    await inDraft.end()
    await sql.unsafe(`alter database ${draft} rename to ${ready}`)
  })
  return ready
}

function onServer(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

async function migrationFiles(): Promise<URL[]> {
  const folder = new URL('../server/db/migrations/', import.meta.url)
  return (await readdir(folder)).sort().map((name) => new URL(name, folder))
}

async function hashOf(files: URL[]): Promise<string> {
  const hash = createHash('sha256')
  // Names count too: a database records those of its migrations, and unknown ones are refused.
  for (const file of files) hash.update(basename(file.pathname)).update(await readFile(file))
  return hash.digest('hex').slice(0, 16)
}

async function openServer({ url, drop }: { url: string; drop(): Promise<void> }): Promise<TestDatabase> {
  const sql = connect({ url })
  const watch = await watchCluster(sql, silent)
  return {
    sql,
    async close() {
      watch.stop()
      await sql.end({ timeout: 5 })
      await drop()
    },
  }
}

async function asAdministrator(server: string, act: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(server, { max: 1, onnotice() {} })
  try {
    await act(sql)
  } finally {
    await sql.end()
  }
}

interface EmptyDatabase {
  embedded: Embedded
  fingerprint: string
}

/** Databases returned by earlier test files of this process. */
const emptied: EmptyDatabase[] = []

/** Reuses the database of an earlier test file if possible: opening one takes two seconds of CPU time, emptying it 0.1. */
async function openEmbeddedDatabase(): Promise<TestDatabase> {
  const database = emptied.pop() ?? (await openEmbeddedCopy())
  const { embedded, fingerprint } = database
  return {
    sql: embedded.sql,
    async close() {
      if (isShared() && (await empty(embedded.sql, fingerprint))) emptied.push(database)
      else await embedded.close()
    },
  }
}

async function openEmbeddedCopy(): Promise<EmptyDatabase> {
  const home = await mkdtemp(join(tmpdir(), 'pullquote-test-'))
  await copyTemplateInto(home)
  const opened = await openEmbedded(home, silent)
  const close = async () => {
    await opened.close()
    await rm(home, { recursive: true, force: true })
  }
  closeAtEnd(close)
  return { embedded: { ...opened, close }, fingerprint: await schemaFingerprint(opened.sql) }
}

/** Restores the state after the migrations. @returns false when that is impossible, since a test changed the schema */
async function empty(sql: Pool, fingerprint: string): Promise<boolean> {
  try {
    if ((await schemaFingerprint(sql)) !== fingerprint) return false
    const tables = await sql<{ name: string }[]>`
      select quote_ident(relname) as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'schema_migrations'`
    await sql.unsafe(
      `truncate ${tables.map(({ name }) => name).join()} restart identity; insert into installation default values`,
    )
    await rebuildStaleLexemes(sql, silent)
    return true
  } catch {
    return false
  }
}

/** Differs after any schema change, since each writes rows of these catalogs. */
async function schemaFingerprint(sql: Pool): Promise<string> {
  const catalogs = ['attribute', 'constraint', 'proc', 'trigger', 'type', 'depend']
  const [row] = await sql.unsafe<{ print: string }[]>(
    `select concat_ws(' ', ${catalogs.map((name) => `(select count(*) || ':' || max(xmin::text::bigint) from pg_${name})`).join()}) as print`,
  )
  return row?.print ?? ''
}

/** Copies a migrated embedded database into a folder to use as PULLQUOTE_HOME: creating one takes 8 s of CPU time. */
export async function copyTemplateInto(home: string): Promise<void> {
  holdCompiledProgram()
  copyDataFolder(join(await embeddedTemplate(), 'data'), join(home, 'data'))
}

let program: WebAssembly.Module | undefined

/**
 * V8 shares the compiled code of the database's WebAssembly between threads and drops it when the last one ends. Holding
 * the module here saves 0.1 s of CPU time at each further opening in this process.
 */
function holdCompiledProgram(): void {
  if (program || !isShared()) return
  for (const flag of SERVER_TUNING.flags) setFlagsFromString(flag)
  const folder = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
  program = new WebAssembly.Module(readFileSync(join(folder, 'pglite.wasm')))
}

const TEMPLATES = fileURLToPath(new URL('../node_modules/.cache/pullquote/test-templates/', import.meta.url))

/** The folder of a migrated embedded database, cached until the migrations or the packages change. */
async function embeddedTemplate(): Promise<string> {
  const hash = await hashOf([...(await migrationFiles()), new URL('../package-lock.json', import.meta.url)])
  const ready = join(TEMPLATES, hash)
  if (existsSync(ready)) return ready
  await mkdir(TEMPLATES, { recursive: true })
  const draft = await mkdtemp(join(TEMPLATES, 'new-'))
  const { sql, close } = await openEmbedded(draft, silent)
  await migrate(sql, silent)
  await close()
  // Two test files may both have created one: the first to finish wins.
  await rename(draft, ready).catch(() => rm(draft, { recursive: true, force: true }))
  return ready
}
