/** Imports that end before their last row, because the key is no longer good or nobody waits for the answer. */
import * as assert from 'uvu/assert'
import type { Log } from '../../../server/deps.ts'
import { listKeys, revokeKey } from '../../../server/sql/access/keys.ts'
import { serviceOnTransports } from '../../http/service-on-transports.ts'
import { TRANSPORTS } from '../../http/transport.ts'
import { suite } from '../../suite.ts'
import { until } from '../../waiting.ts'

const ROWS = 20_000

const test = suite('imports that are cut short')
const lines: { level: string; fields: Record<string, unknown>; message: string }[] = []
const keep = (level: string) => (fields: object, message: string) =>
  void lines.push({ level, fields: { ...fields }, message })
const log: Log = { debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') }

const { service, transports } = serviceOnTransports(test, { log })
test.before.each(() => {
  lines.length = 0
})

let projects = 0
async function fresh() {
  const project = await service.makeProject(`cut-short-${projects++}`, { plan: 'paid' })
  const key = await service.makeKey(project, 'secret', 'live')
  const [record] = await listKeys(service.deps.sql, project.id)
  const stored = async () => {
    const [row] = await service.deps.sql<{ count: number }[]>`
      select count(*)::int as count from reviews where project_id = ${project.id}`
    return row?.count ?? 0
  }
  return { key, keyId: record?.id ?? '', stored }
}

const csv = `id,date,text\n${Array.from({ length: ROWS }, (_, i) => `${i},2026-01-05,Row ${i}.`).join('\n')}\n`
const sent = (key: string, accept = '*/*') => ({
  method: 'POST',
  path: '/imports',
  headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv', accept },
  body: csv,
})

for (const name of TRANSPORTS) {
  test(`${name}: a key that is revoked ends its import at the next batch`, async () => {
    const { key, keyId, stored } = await fresh()
    const answer = transports[name].send(sent(key))
    await until('rows are stored', async () => (await stored()) > 0)
    await revokeKey(service.deps.sql, keyId)
    const response = await answer
    assert.is(response.status, 401)
    assert.match(await response.text(), 'revoked or expired while it ran')
    const left = await stored()
    assert.ok(left > 0 && left < ROWS, String(left))
  })

  test(`${name}: with progress, that is the last line`, async () => {
    const { key, keyId } = await fresh()
    const response = await transports[name].send(sent(key, 'application/x-ndjson'))
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    assert.ok(reader)
    let text = (await reader.read()).value ?? ''
    await revokeKey(service.deps.sql, keyId)
    for (let read = await reader.read(); !read.done; read = await reader.read()) text += read.value
    const last = text.trimEnd().split('\n').at(-1) ?? ''
    assert.match(last, /^\{"error":\{"code":"unauthorized"/)
  })
}

test('a client that goes away before its answer is no error of the server', async () => {
  const { key, stored } = await fresh()
  const { path, ...init } = sent(key)
  const leaving = new AbortController()
  const answer = fetch(transports.socket.url + path, { ...init, signal: leaving.signal }).catch(() => 'gone')
  await until('rows are stored', async () => (await stored()) > 0)
  leaving.abort()
  assert.is(await answer, 'gone')
  await until('the request is logged', () => lines.some(({ fields }) => fields.route === '/imports'))
  const [line] = lines.filter(({ fields }) => fields.route === '/imports')
  assert.equal([line?.level, line?.message, line?.fields.status], ['info', 'the client went away', 499])
  assert.equal(
    lines.filter(({ level }) => level === 'error' || level === 'warn'),
    [],
  )
  assert.ok((await stored()) < ROWS)
})

test.run()
