/** What a request is answered whose key's look-up the database cancels. It needs two sessions, so no embedded database. */
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import * as assert from 'uvu/assert'
import { watchCluster } from '../../server/db/cluster-watch.ts'
import { connect } from '../../server/db/connect.ts'
import type { Pool } from '../../server/deps.ts'
import { hashKey, keyHint, newApiKey } from '../../server/http/api-key.ts'
import { createKey } from '../../server/sql/access/keys.ts'
import { silent } from '../database.ts'
import { makeProject } from '../sql/fixtures.ts'
import { suite } from '../suite.ts'
import { noDatabase } from './no-database.ts'
import { openTransport, type Transport } from './transport.ts'

const STATEMENT_MS = 400

/** @param locked tables that the look-up writes or reads; each is held by another session in turn */
export function cancelledLookUps(
  where: string,
  create: () => Promise<{ url: string; drop(): Promise<void> }>,
  locked: readonly string[],
): void {
  const test = suite(`a key's look-up that the database cancels, ${where}`)
  let sql: Pool
  let other: postgres.Sql
  let service: Transport
  let headers: Record<string, string>
  let close: () => Promise<void>

  test.before(async () => {
    const { url, drop } = await create()
    sql = connect({ url: `${url}?statement_timeout=${STATEMENT_MS}` })
    const watch = await watchCluster(sql, silent)
    other = postgres(url, { max: 2, onnotice() {} })
    const { id: projectId } = await makeProject(sql)
    const key = newApiKey('secret', 'live')
    await createKey(sql, { projectId, env: 'live', kind: 'secret', keyHash: hashKey(key), hint: keyHint(key) })
    headers = { authorization: `Bearer ${key}` }
    service = await openTransport('app.fetch', { ...noDatabase(), sql })
    close = async () => {
      watch.stop()
      await other.end()
      await sql.end()
      await drop()
    }
  })
  test.after(() => close?.())

  const list = async () => {
    const response = await service.send({ path: '/v1/reviews', headers })
    const body: unknown = await response.json()
    return { status: response.status, retryAfter: response.headers.get('retry-after'), body }
  }
  const counted = async () =>
    Number((await other`select sum(requests) as requests from rate_windows`)[0]?.requests ?? 0)

  /** Nobody else gets at the table until `work` is done. */
  async function whileHeld<T>(table: string, work: () => Promise<T>): Promise<T> {
    return other.begin(async (tx) => {
      await tx`lock table ${tx(table)} in access exclusive mode`
      return work()
    }) as Promise<T>
  }

  function assertUnavailable({ status, retryAfter, body }: Awaited<ReturnType<typeof list>>): void {
    assert.is(status, 503)
    assert.ok(Number(retryAfter) >= 1, `Retry-After: ${retryAfter}`)
    assert.is((body as { error: { code: string } }).error.code, 'service_unavailable')
  }

  for (const table of locked) {
    test(`while ${table} is held: 503 with Retry-After for all that came together, and then as before`, async () => {
      assert.is((await list()).status, 200)
      const begun = performance.now()
      for (const answer of await whileHeld(table, () => Promise.all([list(), list(), list()])))
        assertUnavailable(answer)
      assert.ok(performance.now() - begun >= STATEMENT_MS, 'it was not cancelled, it failed')
      assert.is((await list()).status, 200)
    })
  }

  test('cancelled by the operator: the same, and the request is not counted', async () => {
    assert.is((await list()).status, 200)
    const before = await counted()
    const answer = await whileHeld('rate_windows', async () => {
      let isAnswered = false
      const asked = list().finally(() => {
        isAnswered = true
      })
      for (let cancelled = 0; cancelled === 0 && !isAnswered; await pause(10)) {
        const rows = await other`
          select pg_cancel_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%rate_windows%'`
        cancelled = rows.length
      }
      return asked
    })
    assertUnavailable(answer)
    assert.is(await counted(), before)
    assert.is((await list()).status, 200)
    assert.is(await counted(), before + 1)
  })

  test.run()
}
