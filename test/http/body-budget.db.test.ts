/** Whose budget a body on `/v1` counts against once its key is known. */
import * as assert from 'uvu/assert'
import { createApp } from '../../server/app.ts'
import { bodyBudgets } from '../../server/http/byte-budget.ts'
import { suite } from '../suite.ts'
import { assertRefusal } from './answers.ts'
import { openService } from './service.ts'

const test = suite('memory for bodies of known senders')

const body = JSON.stringify({ q: 'breakfast on the terrace' })
const query = (key: string) =>
  new Request('http://localhost/v1/query', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
  })

test('while a request with a good key is worked on, its body leaves the memory for strangers alone', async () => {
  const bodies = bodyBudgets()
  let held: number[] = []
  const service = await openService({
    bodies,
    search: async () => {
      held = [bodies.unauthenticated.reserved, bodies.authenticated.reserved]
      return { ok: true, results: [], match: 'none', cache: 'MISS' }
    },
  })
  const response = await createApp(service.deps).fetch(query(service.keys.secret))
  assert.is(response.status, 200)
  assert.equal(held, [0, body.length])
  assert.is(bodies.authenticated.reserved, 0)
  await service.close()
})

test('when the memory for known senders is used up, they are to send it again', async () => {
  const bodies = bodyBudgets({ authenticated: body.length - 1 })
  const service = await openService({ bodies })
  const refused = await createApp(service.deps).fetch(query(service.keys.secret))
  await assertRefusal(refused, 'service_unavailable', 'used up')
  assert.equal([bodies.unauthenticated.reserved, bodies.authenticated.reserved], [0, 0])
  await service.close()
})

test('a key that is over its limit hears so even when the memory for strangers is used up', async () => {
  const bodies = bodyBudgets({ unauthenticated: 0 })
  const service = await openService({ bodies })
  const { fetch } = createApp(service.deps)
  assert.is((await fetch(query(service.keys.secret))).status, 200)
  await service.database.sql`update rate_windows set requests = 1000000`
  await assertRefusal(await fetch(query(service.keys.secret)), 'rate_limited', 'too many')
  await service.close()
})

test.run()
