import * as assert from 'uvu/assert'
import { readConfig } from '../../server/config.ts'
import { connect } from '../../server/db/connect.ts'
import { migrate } from '../../server/db/migrate.ts'
import type { Pool, Sql } from '../../server/deps.ts'
import { openService } from '../../server/open-service.ts'
import { activateModel } from '../../server/sql/installation/installation.ts'
import { startServer } from '../../server/start.ts'
import { createPostgresDatabase, silent } from '../database.ts'
import { fakeEmbedder } from '../indexing/fake-embedder.ts'
import { suite } from '../suite.ts'
import { makeTemporaryFolder } from '../temporary-folder.ts'
import { until } from '../waiting.ts'

const test = suite('a start that finds tables locked')

const LOCKED = '55P03'
const codeOf = async (work: Promise<unknown>) => work.then(() => 'done').catch((error: { code: string }) => error.code)

/** Another program does something in a transaction that stays open during the work. */
async function beside(theirs: (tx: Sql) => Promise<unknown>, work: (sql: Pool, url: string) => Promise<void>) {
  const { url, drop } = await createPostgresDatabase()
  const [sql, other] = [connect({ url, max: 3 }), connect({ url: `${url}?application_name=nightly%20report`, max: 1 })]
  try {
    await sql`delete from schema_migrations where name = '0041_words_with_accents_of_before.sql'`
    await sql`update installation set lexeme_rules = null`
    await other.begin(async (tx) => {
      await theirs(tx)
      await work(sql, url)
    })
  } finally {
    await Promise.all([sql.end(), other.end()])
    await drop()
  }
}

const config = (DATABASE_URL: string) =>
  readConfig({ PULLQUOTE_HOME: makeTemporaryFolder(), PULLQUOTE_PORT: '0', DATABASE_URL })
const hooks = () => ({ log: silent, embedder: fakeEmbedder() })

test('waits ten seconds as a command, also behind another server, and then names who holds them', () =>
  beside(
    async (tx) => {
      await tx`lock table excerpts in row exclusive mode`
      await tx`select pg_advisory_xact_lock(785578683)`
    },
    async (_, url) => {
      const began = Date.now()
      const refused = await openService(config(url), hooks()).catch((error: Error & { code: string }) => error)
      assert.ok('code' in refused, 'it is refused')
      assert.is(refused.code, 'database_busy')
      assert.match(refused.message, /locked for 10 seconds.*now process \d+ of \w+, nightly report\), then try again/)
      assert.ok(Date.now() - began < 30_000)
    },
  ))

test('ends at a signal as a server', () =>
  beside(
    (tx) => tx`select pg_advisory_xact_lock(785578683)`,
    async (_, url) => {
      const stop = new AbortController()
      const said: string[] = []
      const log = { ...silent, info: (_fields: object, message: string) => void said.push(message) }
      const started = startServer(config(url), { ...hooks(), log, signal: stop.signal })
      const ended = codeOf(started)
      await until('it waits', () => said.length > 0)
      const began = Date.now()
      stop.abort()
      assert.is.not(await ended, 'done')
      assert.ok(Date.now() - began < 9_000, `it took ${Date.now() - began} ms`)
    },
  ))

test('lets others pass while words are made anew or the model changes', () =>
  beside(
    (tx) => tx`select from installation for update`,
    async (sql) => {
      assert.is(await codeOf(activateModel(sql, { name: 'other', dimensions: 3 }, { lockMs: 50 })), LOCKED)
      const waits = { lockMs: 50, retryMs: 10, giveUpMs: 100 }
      assert.is(await codeOf(migrate(sql, silent, waits)), LOCKED)
    },
  ))

test.run()
