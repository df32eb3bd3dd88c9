import { readdir } from 'node:fs/promises'
import * as assert from 'uvu/assert'
import { connect } from '../../server/db/connect.ts'
import { migrate } from '../../server/db/migrate.ts'
import { DatabaseUnfit } from '../../server/db/requirements.ts'
import { longTransaction } from '../../server/db/transaction.ts'
import type { Sql } from '../../server/deps.ts'
import { accept } from '../../server/ingest/accept.ts'
import { createPostgresDatabase, silent } from '../database.ts'
import { makeProject, markIndexed, review } from '../sql/fixtures.ts'
import { suite } from '../suite.ts'
import { until } from '../waiting.ts'

const test = suite('migrations')

async function withDatabase(work: (url: string) => Promise<void>): Promise<void> {
  const { url, drop } = await createPostgresDatabase({ migrated: false })
  try {
    await work(url)
  } finally {
    await drop()
  }
}

async function unfit(work: Promise<unknown>): Promise<string> {
  try {
    await work
  } catch (error) {
    if (error instanceof DatabaseUnfit) return `${error.code}: ${error.message}`
    throw error
  }
  return 'migrated'
}

test('eight servers that start at once migrate once', () =>
  withDatabase(async (url) => {
    const applied: object[] = []
    const log = { ...silent, info: (fields: object) => void applied.push(fields) }
    const [sql = connect({ url }), ...others] = Array.from({ length: 8 }, () => connect({ url }))
    const servers = [sql, ...others]
    await Promise.all(servers.map((sql) => migrate(sql, log)))
    const files = (await readdir(new URL('../../server/db/migrations/', import.meta.url))).sort()
    assert.equal(applied, [{ migrations: files.length }], 'one line in the log, as one server made them')
    await Promise.all(servers.map((sql) => migrate(sql, log)))
    assert.is(applied.length, 1)
    const names = await sql`select name from schema_migrations order by name`
    assert.equal(
      names.map(({ name }) => name),
      files,
    )
    assert.is((await sql`select 1 from installation`).length, 1)
    await Promise.all(servers.map((one) => one.end()))
  }))

test('a server that waits for another, which migrates, says so', () =>
  withDatabase(async (url) => {
    const [sql, other] = [connect({ url, max: 2 }), connect({ url, max: 1 })]
    const said: string[] = []
    const log = { ...silent, info: (_: object, message: string) => void said.push(message) }
    let migrating: Promise<unknown> = Promise.resolve()
    await other.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(785578683)`
      migrating = migrate(sql, log, { lockMs: 50, retryMs: 10, giveUpMs: 60_000 })
      await until('it says so', () => said.length > 0)
    })
    await migrating
    assert.match(said[0] ?? '', /^waiting for another server/)
    await Promise.all([sql.end(), other.end()])
  }))

test('a database of a newer version is refused', () =>
  withDatabase(async (url) => {
    const sql = connect({ url, max: 2 })
    await migrate(sql, silent)
    await sql`insert into schema_migrations (name) values ('9999_later.sql')`
    assert.match(await unfit(migrate(sql, silent)), /^database_newer: .*9999_later\.sql/)
    await sql.end()
  }))

test('tables, types or functions of another program are left alone, and the way to a schema of its own is told', () =>
  withDatabase(async (url) => {
    const sql = connect({ url, max: 2 })
    const own = connect({ url: `${url}?search_path=pullquote,public`, max: 2 })
    await sql`create extension vector`
    const told =
      /^schema_in_use: In the schema public .*CREATE SCHEMA pullquote AUTHORIZATION .*search_path=pullquote,public/
    for (const theirs of [
      'table excerpts (taken integer)',
      "type reviews as enum ('theirs')",
      "function excerpt_lexemes(regconfig, text) returns tsvector return to_tsvector('theirs')",
      'table schema_migrations (version text)',
      'table schema_migrations (name text, executed_at timestamptz)',
    ]) {
      const [kind, name] = theirs.split(/[ (]/)
      await sql.unsafe(`create ${theirs}`)
      const before = await tablesOf(sql)
      assert.match(await unfit(migrate(sql, silent)), told, theirs)
      assert.equal(await tablesOf(sql), before, theirs)
      await sql`create schema pullquote`
      assert.is(await unfit(migrate(own, silent)), 'migrated', theirs)
      assert.equal(
        (await tablesOf(sql)).filter((one) => one.startsWith('public.')),
        before,
        theirs,
      )
      await sql.unsafe(`drop schema pullquote cascade; drop ${kind} ${name}`)
    }
    await Promise.all([sql.end(), own.end()])
  }))

test('tables without their rows, as after pg_restore --schema-only, are told as that and not as another program’s', () =>
  withDatabase(async (url) => {
    const sql = connect({ url, max: 2 })
    await migrate(sql, silent)
    await sql`truncate schema_migrations`
    const before = await tablesOf(sql)
    const told = await unfit(migrate(sql, silent))
    assert.match(
      told,
      /^schema_in_use: The schema public has tables as Pullquote makes them.*--schema-only.*Restore the whole dump/,
    )
    assert.not.match(told, /another program/)
    assert.equal(await tablesOf(sql), before)
    await sql.end()
  }))

test('a role that may not write, or from which row level security hides rows, is refused with what to run', () =>
  withDatabase(async (url) => {
    const owner = connect({ url, max: 2 })
    await migrate(owner, silent)
    const role = `reader_${process.pid}`
    await owner.unsafe(`create role ${role} login`)
    const other = new URL(url)
    other.username = role
    const sql = connect({ url: other.href, max: 2 })
    const grant = new RegExp(
      `^tables_not_permitted: .*\\(address_windows, .*GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role};`,
    )
    assert.match(await unfit(migrate(sql, silent)), grant)
    await owner.unsafe(`grant select on all tables in schema public to ${role}`)
    assert.match(await unfit(migrate(sql, silent)), grant)
    await owner.unsafe(`grant insert, update, delete on all tables in schema public to ${role}`)
    await migrate(sql, silent)
    await owner`alter table reviews enable row level security`
    assert.match(await unfit(migrate(sql, silent)), / Run ALTER TABLE public\.reviews DISABLE ROW LEVEL SECURITY; /)
    await migrate(owner, silent)
    await sql.end()
    await owner.unsafe(`drop owned by ${role}; drop role ${role}`)
    await owner.end()
  }))

test('two installations share a database, each in its schema; one that is found behind another schema is not guessed', () =>
  withDatabase(async (url) => {
    const one = connect({ url, max: 2 })
    await migrate(one, silent)
    await one`insert into projects (name, plan, allowed_origins) values ('first', 'free', '{}')`
    await one`create schema second`
    const two = connect({ url: `${url}?search_path=second,public`, max: 2 })
    await migrate(two, silent)
    assert.is((await two`select from projects`).length, 0)
    await one`drop schema second cascade`
    // As when a schema of the role's own name is made under an installation that lies in `public`.
    await one.unsafe(`create schema authorization ${new URL(url).username}`)
    const later = connect({ url, max: 2 })
    assert.match(
      await unfit(migrate(later, silent)),
      /^schema_in_question: .*those of a Pullquote are in public\. To go on with them, .*search_path=public,\w+ .*For new ones/,
    )
    const named = connect({ url: `${url}?search_path=public`, max: 2 })
    await migrate(named, silent)
    assert.is((await named`select from projects`).length, 1)
    await Promise.all([one, two, later, named].map((sql) => sql.end()))
  }))

async function tablesOf(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select relnamespace::regnamespace || '.' || relname as name from pg_class
    where relkind = 'r' and relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema') order by 1`
  return rows.map(({ name }) => name)
}

test('pgvector in a schema that is not looked into, as hosts put it, is told with what to run; on the path it serves', () =>
  withDatabase(async (url) => {
    const admin = connect({ url, max: 1 })
    const looking = connect({ url: `${url}?search_path=public,extensions`, max: 1 })
    try {
      await admin`create schema extensions`
      await admin`create extension vector schema extensions`
      const told = /^pgvector_not_on_path: .*schema extensions.*SET search_path = "\$user", public, extensions;/
      assert.match(await unfit(migrate(admin, silent)), told)
      assert.is(await unfit(migrate(looking, silent)), 'migrated')
      assert.match(await unfit(migrate(admin, silent)), told)
    } finally {
      await Promise.all([admin.end(), looking.end()])
    }
  }))

test('settings of a role with which answers would be wrong are named with what to run', () =>
  withDatabase(async (url) => {
    const settings =
      'bytea_output=escape&extra_float_digits=-1&default_transaction_isolation=serializable&session_replication_role=replica&standard_conforming_strings=off&TimeZone=Asia/Tokyo'
    const [odd, fit] = [connect({ url: `${url}?${settings}`, max: 1 }), connect({ url, max: 2 })]
    const told = await unfit(migrate(odd, silent))
    assert.match(
      told,
      /^settings_not_fit: .*bytea_output = escape, .*default_transaction_isolation = serializable, .*session_replication_role = replica, standard_conforming_strings = off/,
    )
    assert.match(told, /ALTER ROLE \w+ SET extra_float_digits = '1';.*TimeZone=UTC to DATABASE_URL/)
    // What it says to add does.
    const added = connect({ url: `${url}?${/\?(\S+) to DATABASE_URL/.exec(told)?.[1]}`, max: 2 })
    assert.is(await unfit(migrate(added, silent)), 'migrated')
    assert.is(await unfit(migrate(fit, silent)), 'migrated')
    await Promise.all([odd, added, fit].map((sql) => sql.end()))
  }))

test('settings are to be changed of the role that logs in, which may change to another', () =>
  withDatabase(async (url) => {
    const admin = connect({ url, max: 1 })
    const owner = `pullquote_owner_${process.pid}`
    await admin.unsafe(`create role ${owner}`)
    const sql = connect({ url: `${url}?role=${owner}&bytea_output=escape`, max: 1 })
    assert.match(
      await unfit(migrate(sql, silent)),
      new RegExp(`Run ALTER ROLE ${new URL(url).username} SET bytea_output = 'hex';`),
    )
    await sql.end()
    await admin.unsafe(`drop role ${owner}`)
    await admin.end()
  }))

test('a role’s limits of time end neither migrations nor work that grows with the data', () =>
  withDatabase(async (url) => {
    const any = connect({ url, max: 1 })
    const [server] = await any`select current_setting('server_version_num')::int >= 170000 as limits`
    const sql = connect({
      url: `${url}?statement_timeout=400&lock_timeout=100${server?.limits ? '&transaction_timeout=400' : ''}`,
    })
    const migrated = any.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(785578683)`
      const waiting = unfit(migrate(sql, silent))
      await tx`select pg_sleep(0.6)`
      // In an object: what a transaction returns it waits for.
      return { waiting }
    })
    assert.is(await (await migrated).waiting, 'migrated')
    await longTransaction(sql, (tx) => tx`select pg_sleep(0.6)`)
    await Promise.all([any.end(), sql.end()])
  }))

test('a database whose encoding cannot hold every review is refused while it is empty', () =>
  withDatabase(async (url) => {
    const admin = connect({ url, max: 1 })
    const name = `pullquote_latin1_${process.pid}`
    await admin.unsafe(`create database ${name} encoding 'LATIN1' template template0 locale 'C'`)
    const latinUrl = new URL(url)
    latinUrl.pathname = name
    const latin = connect({ url: latinUrl.href, max: 1 })
    try {
      assert.match(
        await unfit(migrate(latin, silent)),
        /^encoding_not_utf8: .*LATIN1.*CREATE DATABASE name ENCODING 'UTF8'/,
      )
    } finally {
      await latin.end()
      await admin.unsafe(`drop database ${name}`)
      await admin.end()
    }
  }))

test('a search_path that names no schema is told, whether the extension is there or not', () =>
  withDatabase(async (url) => {
    const admin = connect({ url, max: 1 })
    await admin.unsafe(`alter database ${new URL(url).pathname.slice(1)} set search_path = 'one, public'`)
    const sql = connect({ url, max: 1 })
    const told = /^schema_not_permitted: No schema of this role's search_path is there\. .* SET search_path = one, two/
    assert.match(await unfit(migrate(sql, silent)), told)
    await admin`create extension vector`
    await admin`alter extension vector set schema pg_catalog`
    assert.match(await unfit(migrate(sql, silent)), told)
    await Promise.all([admin.end(), sql.end()])
  }))

test('a role that may not create the extension or tables is told what to grant', () =>
  withDatabase(async (url) => {
    const admin = connect({ url, max: 1 })
    const role = `pullquote_weak_${process.pid}`
    await admin.unsafe(`create role ${role} login`)
    const weakUrl = new URL(url)
    weakUrl.username = role
    const weak = connect({ url: weakUrl.href, max: 1 })
    try {
      assert.match(await unfit(migrate(weak, silent)), /^pgvector_not_permitted: .*CREATE EXTENSION vector/)
      await admin`create extension vector`
      assert.match(await unfit(migrate(weak, silent)), /^schema_not_permitted: .*GRANT CREATE/)
      await admin.unsafe(`grant create on schema public to ${role}`)
      assert.is(await unfit(migrate(weak, silent)), 'migrated')
    } finally {
      await weak.end()
      await admin.unsafe(`drop owned by ${role}; drop role ${role}`)
      await admin.end()
    }
  }))

test('a migration gives way to searches while another program reads its table, and then gets there', () =>
  withDatabase(async (url) => {
    const [sql, backup] = [
      connect({ url, max: 3 }),
      connect({ url: `${url}?application_name=nightly%20backup`, max: 1 }),
    ]
    const pid = (await backup`select pg_backend_pid() as pid`)[0]?.pid
    await migrate(sql, silent)
    const name = '0027_verdict_model_named.sql'
    await sql`delete from schema_migrations where name = ${name}`
    await sql`alter table excerpts alter column verdict_model set default 2`
    const waits = { lockMs: 100, retryMs: 10, giveUpMs: 60_000 }
    const warned: { holder?: { pid: number; application: string } }[] = []
    let migrating: Promise<unknown> = Promise.resolve()
    await backup.begin(async (reading) => {
      await reading`select from excerpts`
      await new Promise<void>((resolve) => {
        const warn = (fields: object) => {
          warned.push(fields)
          if (warned.length === 2) resolve()
        }
        migrating = migrate(sql, { ...silent, warn }, waits)
      })
      assert.is((await sql`select from excerpts`).length, 0, 'a search is answered while the migration waits')
    })
    await migrating
    const { holder, ...first } = warned[0] ?? {}
    assert.equal(first, { step: `The migration ${name}`, code: '55P03' })
    assert.equal([holder?.pid, holder?.application], [pid, 'nightly backup'])
    assert.is(await defaultVerdictModel(sql), '1')
    await sql.end()
    await backup.end()
  }))

test('a migration that is never let through says what to do, and changes nothing', () =>
  withDatabase(async (url) => {
    const [sql, backup] = [connect({ url, max: 3 }), connect({ url, max: 1 })]
    await migrate(sql, silent)
    await sql`delete from schema_migrations where name = '0027_verdict_model_named.sql'`
    await sql`alter table excerpts alter column verdict_model set default 2`
    await backup.begin(async (reading) => {
      await reading`select from excerpts`
      const waits = { lockMs: 50, retryMs: 10, giveUpMs: 100 }
      assert.match(
        await unfit(migrate(sql, silent, waits)),
        /^database_busy: .*0027.*Nothing was changed.*: now process \d+ of \w+, pullquote\)/,
      )
    })
    assert.is(await defaultVerdictModel(sql), '2')
    await sql.end()
    await backup.end()
  }))

test('what a server of before writes meanwhile is read again by the new rules, once it has committed', () =>
  withDatabase(async (url) => {
    const [sql, earlier] = [connect({ url, max: 3 }), connect({ url, max: 1 })]
    await migrate(sql, silent)
    await sql`delete from schema_migrations where name in ('0035_words_of_before.sql', '0036_read_again.sql')`
    const project = await makeProject(sql)
    const texts = ['Fast Wi-Fi', 'Le café'.normalize('NFD'), 'Le café']
    await accept(
      sql,
      project,
      'live',
      texts.map((text, i) => review(String(i), { text })),
      {},
    )
    let migrating: Promise<unknown> = Promise.resolve()
    await earlier.begin(async (tx) => {
      await markIndexed(tx, project.id)
      await tx`update excerpts set lexemes = to_tsvector('simple', 'read otherwise')`
      await new Promise<void>((resolve) => {
        const waits = { lockMs: 50, retryMs: 10, giveUpMs: 60_000 }
        migrating = migrate(sql, { ...silent, warn: () => resolve() }, waits)
      })
    })
    await migrating
    const [wifi] = await sql`select lexemes @@ 'wifi' as found from excerpts where text = 'Fast Wi-Fi'`
    assert.is(wifi?.found, true)
    const queued = await sql`select external_id from index_jobs join reviews on id = review_id`
    assert.equal([...queued], [{ external_id: '1' }])
    await sql.end()
    await earlier.end()
  }))

/** What an insert that does not name the model says of it. */
async function defaultVerdictModel(sql: Sql): Promise<string> {
  const [column] = await sql<{ value: string }[]>`
    select column_default as value from information_schema.columns
    where table_name = 'excerpts' and column_name = 'verdict_model'`
  return column?.value ?? ''
}

test('a pgvector that is too old is refused, also after the migrations, and told how to update', () =>
  withDatabase(async (url) => {
    const admin = connect({ url, max: 1 })
    // What the catalog says, before the catalog itself.
    await admin.unsafe(`create schema told;
      create view told.pg_extension as
        select extname, extnamespace, '0.4.4'::text as extversion from pg_catalog.pg_extension;
      create view told.pg_available_extensions as select name, '0.4.4'::text as default_version from pg_catalog.pg_available_extensions`)
    const sql = connect({ url: `${url}?search_path=public,told,pg_catalog`, max: 1 })
    const [server] = await sql<{ version: string }[]>`select current_setting('server_version_num') as version`
    const needed = '^pgvector_too_old: pgvector 0.5 or newer is needed[.;]'
    const update = `Update it there: the package postgresql-${server?.version.slice(0, 2)}-pgvector`
    const statement = 'in this database: ALTER EXTENSION vector UPDATE;$'

    const onFresh = await unfit(migrate(sql, silent))
    assert.match(onFresh, new RegExp(`${needed} this server has 0.4.4. ${update}`))
    assert.not.match(onFresh, 'ALTER EXTENSION', 'the database has no extension yet')
    assert.is((await admin`select from pg_extension where extname = 'vector'`).length, 0)

    await migrate(admin, silent)
    const told = await unfit(migrate(sql, silent))
    assert.match(told, new RegExp(`${needed} this database has 0.4.4. ${update}.* Then run .*${statement}`))

    await admin`drop view told.pg_available_extensions`
    const newer = await unfit(migrate(sql, silent))
    assert.match(
      newer,
      new RegExp(`${needed} The server has [^4]+, but this database still uses 0.4.4: run .*${statement}`),
    )

    await admin`update pg_extension set extversion = '0.10.0' where extname = 'vector'`
    assert.is(await unfit(migrate(admin, silent)), 'migrated')
    await Promise.all([sql.end(), admin.end()])
  }))

test.run()
