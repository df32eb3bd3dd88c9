/** A migrated database of a test's own: `PULLQUOTE_TEST_DATABASE` = `embedded` (default), `postgres` or `citus`. */
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

/** A fresh, migrated PostgreSQL database and its address, for tests that start several servers on one. */
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

/** A migrated database to copy, which stays on the server for as long as the migrations stay as they are. */
async function makePostgresTemplate(server: string): Promise<string> {
  const ready = `pullquote_template_${await hashOf(await migrationFiles())}`
  const draft = `${ready}_draft`
  await asAdministrator(server, async (sql) => {
    // Ends with the connection. Whoever comes second finds what the first has made.
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
  // With their names: the database keeps those of its migrations, and refuses one whose names it does not know.
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
  /** Of its schema. */
  print: string
}

/** Those that test files of this process gave back. */
const emptied: EmptyDatabase[] = []

/** One that an earlier test file gave back, or a new one: to open it takes two seconds of processor, to empty it a tenth. */
async function openEmbeddedDatabase(): Promise<TestDatabase> {
  const database = emptied.pop() ?? (await openEmbeddedCopy())
  const { embedded, print } = database
  return {
    sql: embedded.sql,
    async close() {
      if (isShared() && (await empty(embedded.sql, print))) emptied.push(database)
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
  return { embedded: { ...opened, close }, print: await schemaPrint(opened.sql) }
}

/** Makes it as the migrations leave it. @returns false when it cannot be, since a test changed the schema */
async function empty(sql: Pool, print: string): Promise<boolean> {
  try {
    if ((await schemaPrint(sql)) !== print) return false
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

/** Another one after any change of the schema: each writes rows of these catalogs. */
async function schemaPrint(sql: Pool): Promise<string> {
  const catalogs = ['attribute', 'constraint', 'proc', 'trigger', 'type', 'depend']
  const [row] = await sql.unsafe<{ print: string }[]>(
    `select concat_ws(' ', ${catalogs.map((name) => `(select count(*) || ':' || max(xmin::text::bigint) from pg_${name})`).join()}) as print`,
  )
  return row?.print ?? ''
}

/** Puts a migrated embedded database into a folder that becomes PULLQUOTE_HOME: to make one there takes 8 s of processor. */
export async function copyTemplateInto(home: string): Promise<void> {
  holdProgram()
  copyDataFolder(join(await embeddedTemplate(), 'data'), join(home, 'data'))
}

let program: WebAssembly.Module | undefined

/**
 * What V8 has compiled of the database's program is shared by the threads that run it, and forgotten when the last one ends.
 * Held here, each further opening in this process takes 0.1 s less of the processor.
 */
function holdProgram(): void {
  if (program || !isShared()) return
  for (const flag of SERVER_TUNING.flags) setFlagsFromString(flag)
  const folder = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
  program = new WebAssembly.Module(readFileSync(join(folder, 'pglite.wasm')))
}

const TEMPLATES = fileURLToPath(new URL('../node_modules/.cache/pullquote/test-templates/', import.meta.url))

/** Kept for as long as its ingredients stay. */
async function embeddedTemplate(): Promise<string> {
  const hash = await hashOf([...(await migrationFiles()), new URL('../package-lock.json', import.meta.url)])
  const ready = join(TEMPLATES, hash)
  if (existsSync(ready)) return ready
  await mkdir(TEMPLATES, { recursive: true })
  const draft = await mkdtemp(join(TEMPLATES, 'new-'))
  const { sql, close } = await openEmbedded(draft, silent)
  await migrate(sql, silent)
  await close()
  // Two test files may both have made one: the first to finish stays.
  await rename(draft, ready).catch(() => rm(draft, { recursive: true, force: true }))
  return ready
}
