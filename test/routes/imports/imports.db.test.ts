/** The upload route over `app.fetch` and a socket: the same importer as the terminal's, through the one door in. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { importLine, importResponse } from '../../../src/contract/import.ts'
import { assertConventions, assertRateLimitHeaders, assertRefusal } from '../../http/answers.ts'
import { openRaw } from '../../http/raw.ts'
import { serviceOnTransports } from '../../http/service-on-transports.ts'
import { type Sent, TRANSPORTS } from '../../http/transport.ts'
import { suite } from '../../suite.ts'
import { until } from '../../waiting.ts'
import { importRequests } from './import-requests.ts'

const sample = (name: string) => readFileSync(join(import.meta.dirname, '../../../templates/import/samples', name))

const test = suite('imports by upload')
let nudges = 0

const { service, transports } = serviceOnTransports(test, {
  worker: {
    nudge() {
      nudges++
    },
    state: () => ({ status: 'idle', indexed: 0, failed: 0 }),
  },
})

const csv = (count: number, text = 'Text') =>
  `id,date,text\n${Array.from({ length: count }, (_, index) => `${index},2026-01-05,${text} ${index}.`).join('\n')}\n`

for (const name of TRANSPORTS) {
  const send = (sent: Sent) => {
    return transports[name].send(sent)
  }
  const { upload, imported, stored, freshKey } = importRequests({ service }, send)

  test(`${name}: a file is imported, and again it finds all unchanged`, async () => {
    const key = await freshKey()
    const before = nudges
    const response = await upload(key, sample('trustpilot.csv'), '?file_name=trustpilot.csv')
    assertConventions(response, 'POST /imports')
    assertRateLimitHeaders(response, 300, 'POST /imports')
    const first = await imported(response)
    assert.equal([first.inserted, first.updated, first.unchanged, first.skipped], [2, 0, 0, 1])
    assert.equal(first.reasons, { rating_only: 1 })
    assert.is(first.files[0]?.profile, 'trustpilot')
    assert.is(first.files[0]?.file, 'trustpilot.csv')
    assert.ok(nudges > before)
    const again = await imported(await upload(key, sample('trustpilot.csv')))
    assert.equal([again.inserted, again.updated, again.unchanged], [0, 2, 2])
  })

  test(`${name}: errors.csv is behind its link, for this project and environment only`, async () => {
    const key = await freshKey()
    const { errors_csv: link } = await imported(await upload(key, 'date,text\nnever,Good.\n'))
    const response = await send({ path: link ?? '', headers: { authorization: `Bearer ${key}` } })
    assert.is(response.status, 200)
    assert.is(response.headers.get('content-type'), 'text/csv; charset=utf-8')
    assert.match(await response.text(), /line,reason,read_as,date,text\r\n2,.*never/)
    for (const other of [service.keys.secret, await freshKey()]) {
      await assertRefusal(
        await send({ path: link ?? '', headers: { authorization: `Bearer ${other}` } }),
        'not_found',
        'other',
      )
    }
    await assertRefusal(
      await send({ path: '/imports/nonsense/errors.csv', headers: { authorization: `Bearer ${key}` } }),
      'not_found',
      'nonsense',
    )
  })

  test(`${name}: a review that its vendor hides is stored hidden`, async () => {
    const key = await freshKey()
    await imported(await upload(key, sample('shopify.csv')))
    assert.equal((await stored(key)).map((review) => review.hidden).sort(), [false, true])
  })

  test(`${name}: a dry run shows what would happen and writes nothing`, async () => {
    const key = await freshKey()
    await imported(await upload(key, csv(3)))
    const changed = `${csv(2)}2,2026-01-05,Changed.\n9,2026-01-05,New.\nx,never,Bad.\n`
    const dry = await imported(await upload(key, changed, '?dry_run=true'))
    assert.equal([dry.inserted, dry.updated, dry.unchanged, dry.skipped, dry.dry_run], [1, 3, 2, 1, true])
    assert.is(dry.samples?.skipped[0]?.reason, 'bad_date')
    assert.is((await stored(key)).find((review) => review.external_id === '2')?.text, 'Text 2.')
    const real = await imported(await upload(key, changed))
    assert.equal([real.inserted, real.updated, real.unchanged, real.skipped], [1, 3, 2, 1])
  })

  test(`${name}: progress comes line by line, the result last`, async () => {
    const key = await freshKey()
    const response = await upload(key, csv(250), '', { accept: 'application/x-ndjson' })
    assert.is(response.headers.get('content-type'), 'application/x-ndjson')
    const lines = (await response.text())
      .trim()
      .split('\n')
      .map((line) => v.parse(importLine, JSON.parse(line)))
    assert.equal(
      lines.slice(0, -1).map(({ progress }) => progress?.done),
      [0, 100, 200, 250],
    )
    assert.is(lines.at(-1)?.result?.inserted, 250)
  })

  test(`${name}: a client that can read both gets what it prefers`, async () => {
    for (const [accept, type] of [
      ['application/json,application/x-ndjson;q=0.9', 'application/json'],
      ['application/json, application/x-ndjson', 'application/json'],
      ['application/x-ndjson, application/json', 'application/x-ndjson'],
      ['application/json;q=.5, Application/X-NDJSON', 'application/x-ndjson'],
      ['application/x-ndjson;q=0', 'application/json'],
      ['*/*', 'application/json'],
    ] as const) {
      const response = await upload(await freshKey(), csv(1), '', { accept })
      assert.match(response.headers.get('content-type') ?? '', type, accept)
      await response.text()
    }
  })

  test(`${name}: with progress, a refusal is the last line`, async () => {
    const response = await upload(await freshKey(), 'a,b\n1,2\n', '', { accept: 'application/x-ndjson' })
    const { error } = v.parse(importLine, JSON.parse(await response.text()))
    assert.is(error?.code, 'validation_failed')
    assert.match(error?.message ?? '', /--map text=/)
  })

  test(`${name}: a mapping goes with the file`, async () => {
    const key = await freshKey()
    const mapping = JSON.stringify({ map: { text: 'b', date: 'a' }, source: 'yelp' })
    const result = await imported(
      await upload(key, 'a,b\n2026-01-05,Good.\n', `?mapping=${encodeURIComponent(mapping)}`),
    )
    assert.is(result.inserted, 1)
    assert.equal(result.files[0]?.columns, { date: ['a'], text: ['b'] })
  })

  test(`${name}: a Takeout archive goes in as one import`, async () => {
    const zip = zipSync({
      'Takeout/reviews.json': sample('google-takeout.json'),
      'Takeout/reviews-2.json': sample('google-takeout.json'),
      'Takeout/other.json': strToU8('{}'),
    })
    const result = await imported(await upload(await freshKey(), zip, '', { 'content-type': 'application/zip' }))
    assert.equal([result.inserted, result.updated, result.unchanged, result.skipped], [2, 2, 2, 2])
    assert.is(result.files.length, 2)
  })

  test(`${name}: at the cap nothing of the file is stored, and updates do not count`, async () => {
    const project = await service.makeProject(`cap ${name}`, { plan: 'free' })
    const key = await service.makeKey(project, 'secret', 'live')
    await imported(await upload(key, csv(10)))
    // As if there were so many.
    await service.deps
      .sql`update environments set review_count = 4999 where project_id = ${project.id} and env = 'live'`
    const error = await assertRefusal(
      await upload(key, `${csv(10)}a,2026-01-05,A.\nb,2026-01-05,B.\n`),
      'review_limit_reached',
      'cap',
    )
    assert.match(error.message, /2 new reviews, .* room for 1 more/)
    const updated = await imported(await upload(key, `${csv(10, 'Other')}a,2026-01-05,A.\n`))
    assert.equal([updated.inserted, updated.updated], [1, 10])
    const one = await upload(key, 'id,date,text\nb,2026-01-05,B.\n')
    assert.match((await assertRefusal(one, 'review_limit_reached', 'full')).message, /1 new review, .* room for 0 more/)
  })

  test(`${name}: requests that are none are refused in the contract's words`, async () => {
    const key = service.keys.secret
    await assertRefusal(await upload(key, 'x', '', { 'content-type': 'image/png' }), 'unsupported_media_type', 'type')
    await assertRefusal(await upload(service.keys.publishable, 'x'), 'forbidden', 'publishable')
    await assertRefusal(await upload(key, Buffer.alloc(10 * 1024 * 1024 + 1, 'a')), 'payload_too_large', 'size')
    for (const query of [
      '?mapping=no',
      '?mapping={}&mapping={}',
      '?dry_run=yes',
      '?nonsense=1',
      `?mapping=${encodeURIComponent('{"maps":{}}')}`,
    ])
      await assertRefusal(await upload(key, 'date,text\n2026-01-05,x\n', query), 'validation_failed', query)
    await assertRefusal(
      await send({ method: 'POST', path: '/imports', headers: { authorization: `Bearer ${key}` } }),
      'validation_failed',
      'no body',
    )
    for (const bytes of [
      Buffer.from([0, 1, 2, 3, 0, 0, 0, 1]),
      Buffer.from('PK\u0003\u0004nonsense'),
      Buffer.from('{"a":'),
    ])
      await assertRefusal(await upload(key, bytes), 'validation_failed', 'not a file of reviews')
  })
}

for (const name of TRANSPORTS) {
  test(`${name}: a file is refused that is said to be compressed, whatever it holds`, async () => {
    const { freshKey } = importRequests({ service }, (sent) => transports[name].send(sent))
    const headers = { authorization: `Bearer ${await freshKey()}`, 'content-type': 'text/csv' }
    for (const encoding of ['br', 'gzip', 'zstd', 'gzip, identity', ''])
      await assertRefusal(
        await transports[name].send({
          method: 'POST',
          path: '/imports?dry_run=true',
          headers: { ...headers, 'content-encoding': encoding },
          body: csv(2),
        }),
        'validation_failed',
        encoding,
      )
    const plain = { ...headers, 'content-encoding': 'identity' }
    const response = await transports[name].send({ method: 'POST', path: '/imports', headers: plain, body: csv(2) })
    assert.is(response.status, 200)
  })
}

test('so is one that is compressed on its way', async () => {
  const { url } = transports.socket
  const { freshKey } = importRequests({ service }, (sent) => transports.socket.send(sent))
  const connection = await openRaw(url)
  const head = `Host: x\r\nAuthorization: Bearer ${await freshKey()}\r\nContent-Type: text/csv\r\nTransfer-Encoding: gzip, chunked\r\n\r\n`
  const body = csv(2)
  connection.write(`POST /imports?dry_run=true HTTP/1.1\r\n${head}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`)
  assert.is((await connection.answer()).status, 422)
  connection.socket.destroy()
})

test('a client that goes away ends its import between two batches', async () => {
  const transport = transports.socket
  const key = await service.makeKey(await service.makeProject('gone', { plan: 'paid' }), 'secret', 'live')
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'text/csv', accept: 'application/x-ndjson' }
  const leaving = new AbortController()
  const response = await fetch(`${transport.url}/imports`, {
    method: 'POST',
    headers,
    body: csv(4_000),
    signal: leaving.signal,
  })
  const reader = response.body?.getReader()
  await reader?.read()
  await reader?.read()
  leaving.abort()
  const count = async () => {
    const [row] = await service.deps.sql<{ count: number }[]>`
      select count(*)::int as count from reviews where project_id = (select id from projects where name = 'gone')`
    return row?.count ?? 0
  }
  let early = -1
  await until(
    'nothing more is stored for a second',
    async () => {
      const before = early
      early = await count()
      return early === before
    },
    1_000,
  )
  assert.ok(early < 4_000)
  const finished = await transport.send({
    method: 'POST',
    path: '/imports',
    headers: { ...headers, accept: '*/*' },
    body: csv(4_000),
  })
  const result = v.parse(importResponse, await finished.json())
  assert.equal([result.inserted, result.unchanged], [4_000 - early, early])
})

test.run()
