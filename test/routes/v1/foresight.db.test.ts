import * as assert from 'uvu/assert'
import { createApp } from '../../../server/app.ts'
import type { Foreseen, SearchAnswer, SearchContext, SearchOptions } from '../../../server/search/search.ts'
import { revokeKey } from '../../../server/sql/access/keys.ts'
import { ORIGIN, openService, type TestService } from '../../http/service.ts'
import { suite } from '../../suite.ts'

const test = suite('a search that is begun while its key is looked up')
let service: TestService
let fetch: (path: string, headers?: Record<string, string>, body?: string) => Promise<number>
/** What was begun, and what was searched with which of it. */
let begun: { context: SearchContext; q: string | undefined; foreseen: Foreseen }[] = []
let searched: SearchOptions[] = []

test.before(async () => {
  const search = async (_context: SearchContext, _request: unknown, options: SearchOptions): Promise<SearchAnswer> => {
    searched.push(options)
    return { ok: true, results: [], match: 'none', cache: 'MISS' }
  }
  const foresee = (context: SearchContext, { q }: { q?: string | undefined }) => {
    const foreseen = { key: '', candidates: Promise.resolve(undefined) }
    begun.push({ context, q, foreseen })
    return foreseen
  }
  service = await openService({ search: Object.assign(search, { foresee }) })
  const app = createApp(service.deps)
  fetch = async (path, headers = {}, body) => {
    const method = body === undefined ? 'GET' : 'POST'
    const type = body === undefined ? {} : { 'content-type': 'application/json', body }
    const init = { method, headers: { ...type, ...headers }, ...(body === undefined ? {} : { body }) }
    return (await app.fetch(new Request(`http://pullquote.test${path}`, init))).status
  }
})
test.before.each(() => {
  begun = []
  searched = []
})
test.after(() => service.close())

const secret = () => service.makeKey(service.project, 'secret', 'live')
const as = (key: string) => ({ authorization: `Bearer ${key}` })

test('once its key is known, with the project, environment and revision that it had, and is handed to the search', async () => {
  const key = await secret()
  assert.is(await fetch('/v1/query?q=quiet', as(key)), 200)
  assert.equal(begun, [])
  assert.is(searched[0]?.foreseen, undefined)
  assert.is(await fetch('/v1/query?q=room', as(key)), 200)
  assert.is(await fetch('/v1/query', as(key), '{"q":"view"}'), 200)
  assert.equal(
    begun.map(({ q, context: { project, env } }) => [q, project.id, env]),
    [
      ['room', service.project.id, 'live'],
      ['view', service.project.id, 'live'],
    ],
  )
  assert.ok(begun[0]?.context.revision)
  assert.is(searched[1]?.foreseen, begun[0]?.foreseen)
  assert.is(searched[2]?.foreseen, begun[1]?.foreseen)
})

test('of one key it is not what another key of another project gets', async () => {
  const other = await service.makeProject('other')
  const [first, second] = [await secret(), await service.makeKey(other, 'secret', 'live')]
  for (const key of [first, second, first, second]) await fetch('/v1/query?q=quiet', as(key))
  assert.equal(
    begun.map(({ context }) => context.project.id),
    [service.project.id, other.id],
  )
})

test('of a key that was revoked once, and its request is refused', async () => {
  const key = await secret()
  await fetch('/v1/query?q=quiet', as(key))
  const [row] = await service.database.sql<{ id: string }[]>`select id from api_keys order by created_at desc limit 1`
  await revokeKey(service.database.sql, row?.id ?? '')
  searched = []
  for (let i = 0; i < 3; i++) assert.is(await fetch('/v1/query?q=quiet', as(key)), 401)
  assert.is(begun.length, 1)
  assert.equal(searched, [])
})

test('of a key over its rate limit once', async () => {
  const key = await secret()
  await fetch('/v1/query?q=quiet', as(key))
  await service.database.sql`update rate_windows set requests = 1000000`
  for (let i = 0; i < 3; i++) assert.is(await fetch('/v1/query?q=quiet', as(key)), 429)
  assert.is(begun.length, 1)
  await service.endRateWindows()
  for (let i = 0; i < 2; i++) assert.is(await fetch('/v1/query?q=quiet', as(key)), 200)
  assert.is(begun.length, 2)
})

test('of a page from another origin once', async () => {
  const page = { ...as(service.keys.publishable), origin: ORIGIN }
  assert.is(await fetch('/v1/query?q=quiet', page), 200)
  for (let i = 0; i < 3; i++)
    assert.is(await fetch('/v1/query?q=quiet', { ...page, origin: 'https://other.test' }), 403)
  assert.is(begun.length, 1)
})

test('not of a request that is not valid, which is refused in its turn', async () => {
  const key = await secret()
  await fetch('/v1/query?q=quiet', as(key))
  assert.is(await fetch('/v1/query?q=quiet&limit=x', as(key)), 422)
  assert.is(await fetch('/v1/query', as(key), '{'), 422)
  assert.equal(begun, [])
  await fetch('/v1/query?q=quiet', as(key))
  await fetch('/v1/query?q=quiet', as(key))
  assert.is(begun.length, 1)
})

test.run()
