/** Routes of the operator: projects, keys, wiping. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import type { AppDeps } from '../../server/app-deps.ts'
import { NoRoomForCopy } from '../../server/db/embedded/copy-database.ts'
import { importResponse } from '../../src/contract/import.ts'
import { setAsideResponse } from '../../src/contract/set-aside.ts'
import { assertRefusal } from '../http/answers.ts'
import { OPERATOR_TOKEN, review } from '../http/service.ts'
import { serviceOnTransports } from '../http/service-on-transports.ts'
import { TRANSPORTS } from '../http/transport.ts'
import { suite } from '../suite.ts'
import { makeTemporaryFolder } from '../temporary-folder.ts'
import { createdKey, project } from './operator-answers.ts'
import { operatorCalls } from './operator-calls.ts'

const test = suite('operator routes')

let nudges = 0
const worker: AppDeps['worker'] = {
  nudge() {
    nudges++
  },
  state: () => ({ status: 'idle', indexed: 0, failed: 0 }),
}
const { service, transports } = serviceOnTransports(test, { worker })

for (const name of TRANSPORTS) {
  const { call, unique, make } = operatorCalls(name, transports)

  test(`${name}: a backup has no file of a name while it is written and sent, so a killed server leaves none`, async () => {
    const { TMPDIR } = process.env
    const { deps } = service
    const { copyDatabase } = deps
    const folder = makeTemporaryFolder()
    process.env.TMPDIR = folder
    let whileWritten: string[] | undefined
    deps.copyDatabase = async () => {
      whileWritten = readdirSync(folder)
      return { sql: deps.sql, close: async () => void whileWritten?.push(...readdirSync(folder)) }
    }
    try {
      const answer = await call('GET', '/operator/backup')
      assert.is(answer.status, 200)
      assert.equal([whileWritten, readdirSync(folder)], [[], []])
      assert.equal([...gunzipSync(await answer.arrayBuffer()).subarray(0, 1)], [...Buffer.from('{')])
    } finally {
      deps.copyDatabase = copyDatabase
      if (TMPDIR === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = TMPDIR
    }
  })

  test(`${name}: where the disk has no room for a copy of the database, the backup is made without one`, async () => {
    const { deps } = service
    const { copyDatabase } = deps
    deps.copyDatabase = () => Promise.reject(new NoRoomForCopy(3e9))
    try {
      const answer = await call('GET', '/operator/backup')
      assert.is(answer.status, 200)
      assert.match(gunzipSync(await answer.arrayBuffer()).toString(), /"sha256":"\w{64}"\}\n$/)
    } finally {
      deps.copyDatabase = copyDatabase
    }
  })

  test(`${name}: a backup is made of a copy of the database, which is removed afterwards`, async () => {
    const { deps } = service
    const { copyDatabase } = deps
    const uses: string[] = []
    deps.copyDatabase = async () => {
      uses.push('copied')
      return { sql: deps.sql, close: async () => void uses.push('removed') }
    }
    try {
      assert.is((await call('GET', '/operator/backup')).status, 200)
      assert.equal(uses, ['copied', 'removed'])
    } finally {
      deps.copyDatabase = copyDatabase
    }
  })

  test(`${name}: a backup for which the folder of temporary files is no good says so`, async () => {
    const { TMPDIR } = process.env
    process.env.TMPDIR = join(makeTemporaryFolder(), 'gone')
    try {
      const refusal = await assertRefusal(await call('GET', '/operator/backup'), 'internal', 'a backup')
      assert.match(refusal.message, /gone, is not there\. .* TMPDIR/)
    } finally {
      if (TMPDIR === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = TMPDIR
    }
  })

  test(`${name}: reviews that were set aside are listed with the reason, and tried again when asked`, async () => {
    const { sql } = service.deps
    const made = await make({ name: unique('Aside') })
    const [stored] = await sql<{ id: string }[]>`
      insert into reviews (project_id, env, source, external_id, author_name, text, status, occurred_at)
      values (${made.id}, 'live', 'custom', 'bad', 'A', 'poison', 'indexing', now()) returning id`
    await sql`insert into index_jobs (project_id, review_id, text_version, attempts, faults, set_aside_at, run_at, last_error)
      values (${made.id}, ${stored?.id ?? ''}, 1, 2, 2, now(), 'infinity', 'refused with 400')`
    const path = `/operator/set-aside?project=${encodeURIComponent(made.name)}`
    const answer = await call('GET', path)
    const { total, reviews } = v.parse(setAsideResponse, await answer.json())
    assert.is(total, 1)
    assert.equal(
      reviews.map(({ external_id, env, reason }) => ({ external_id, env, reason })),
      [{ external_id: 'bad', env: 'live', reason: 'refused with 400' }],
    )
    const other = await make({ name: unique('Other') })
    assert.equal(await (await call('POST', '/operator/set-aside/retry', { project: other.name })).json(), { queued: 0 })
    nudges = 0
    assert.equal(await (await call('POST', '/operator/set-aside/retry', { project: made.name })).json(), { queued: 1 })
    // Not at the next poll.
    assert.is(nudges, 1)
    assert.is(v.parse(setAsideResponse, await (await call('GET', path)).json()).total, 0)
    assert.is((await call('GET', '/operator/set-aside?project=nobody')).status, 404)
    assert.is((await call('GET', '/operator/set-aside?limit=0')).status, 422)
    assert.is((await call('POST', '/operator/set-aside/retry', { projects: 'x' })).status, 422)
  })

  test(`${name}: only the operator token opens these routes`, async () => {
    for (const [method, path] of [
      ['GET', '/operator/projects'],
      ['POST', '/operator/projects'],
      ['GET', '/operator/projects/hotel'],
      ['PATCH', '/operator/projects/hotel'],
      ['DELETE', '/operator/projects/hotel'],
      ['GET', '/operator/keys'],
      ['POST', '/operator/keys'],
      ['DELETE', '/operator/keys/x'],
      ['POST', '/operator/wipe'],
      ['GET', '/operator/set-aside'],
      ['POST', '/operator/set-aside/retry'],
    ] as const) {
      for (const token of [
        service.keys.secret,
        service.keys.publishable,
        `${OPERATOR_TOKEN}x`,
        OPERATOR_TOKEN.slice(1),
      ]) {
        await assertRefusal(await call(method, path, undefined, token), 'unauthorized', `${method} ${path}`)
      }
    }
    await assertRefusal(await call('GET', '/v1/reviews'), 'unauthorized', 'the token is no API key')
  })

  test(`${name}: wiping one environment leaves the other, and none of the rows that its imports skipped`, async () => {
    const made = await make({ name: unique('wiped') })
    const keys: string[] = []
    for (const env of ['live', 'test']) {
      const body = { project: made.name, kind: 'secret', env }
      keys.push(v.parse(createdKey, await (await call('POST', '/operator/keys', body)).json()).key)
    }
    const skipped: string[] = []
    for (const key of keys) {
      await call('POST', '/v1/reviews', [review('a'), review('b')], key)
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'text/csv' }
      const sent = { method: 'POST', path: '/imports', headers, body: 'date,author,text\nnever,Ida Moor,Good.\n' }
      const answer = v.parse(importResponse, await (await transports[name].send(sent)).json())
      skipped.push(answer.errors_csv ?? '')
    }
    const wiped = await call('POST', '/operator/wipe', { project: made.name, env: 'test' })
    assert.equal(await wiped.json(), { deleted: 2 })
    const after = v.parse(project, await (await call('GET', `/operator/projects/${made.id}`)).json())
    assert.equal(after.reviews, { live: 2, test: 0 })
    const found = await Promise.all(skipped.map((path, at) => call('GET', path, undefined, keys[at])))
    assert.equal(
      found.map(({ status }) => status),
      [200, 404],
    )
  })
}

test.run()
