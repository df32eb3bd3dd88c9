/** Projects, keys and reviews for a run, made by the operator's routes. */
import * as v from 'valibot'
import { type Credentials, ORIGIN } from './requests.ts'

/** A secret key of a paid project may send 1,000 requests in a minute, a publishable one 600. */
const SECRET_KEYS = 60
const PUBLISHABLE_KEYS = 40
const BYSTANDER_KEYS = 6

const madeKey = v.looseObject({ id: v.string(), key: v.string() })

export async function setUp(url: string, token: string): Promise<{ keys: Credentials; bystander: string[] }> {
  const call = async (method: string, path: string, bearer: string, body: unknown) => {
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
    const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  for (const name of ['fuzzed', 'bystander', 'Hotel']) {
    await call('POST', '/operator/projects', token, { name, plan: 'paid', origins: [ORIGIN] })
  }
  const key = async (project: string, kind: string, env = 'live') =>
    v.parse(madeKey, await call('POST', '/operator/keys', token, { project, kind, env }))
  const several = async (count: number, make: () => Promise<{ key: string }>) => {
    const made: string[] = []
    for (let i = 0; i < count; i++) made.push((await make()).key)
    return made
  }
  const revoked: string[] = []
  for (const kind of ['secret', 'publishable']) {
    const made = await key('fuzzed', kind)
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${url}/operator/keys/${made.id}`, { method: 'DELETE', headers })
    if (!answer.ok) throw new Error(`a key could not be revoked: ${answer.status}`)
    revoked.push(made.key)
  }
  const secret = await several(SECRET_KEYS, () => key('fuzzed', 'secret'))
  secret.push(...(await several(4, () => key('fuzzed', 'secret', 'test'))))
  const publishable = await several(PUBLISHABLE_KEYS, () => key('fuzzed', 'publishable'))
  const own = await key('bystander', 'secret')
  const words = ['quiet room', 'terrace in the sun', 'late check-in', 'warm bread', 'steep stairs', 'the lake']
  const reviews = Array.from({ length: 60 }, (_, n) => ({
    external_id: `b${n}`,
    source: 'google',
    rating: 5,
    text: `We liked the ${words[n % words.length]}, and the terrace at breakfast was worth the trip number ${n}.`,
    author_name: 'Mara',
    occurred_at: '2026-01-05T10:00:00Z',
  }))
  await call('POST', '/v1/reviews', own.key, reviews)
  const bystander = await several(BYSTANDER_KEYS, () => key('bystander', 'publishable'))
  return { keys: { secret, publishable, revoked, operator: token }, bystander }
}
