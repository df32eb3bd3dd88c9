/** What the console's routes answer to its page, held against the contract. */
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { createFindBestCosines } from '../../../server/search/best-cosine.ts'
import { createExplain } from '../../../server/search/explain.ts'
import {
  consoleHealth,
  consoleInsights,
  consoleProject,
  consoleReviews,
  consoleSearch,
  consoleSession,
} from '../../../src/contract/console.ts'
import { openService, review } from '../../http/service.ts'
import { openTransport } from '../../http/transport.ts'
import { hashedEmbedder } from '../../search/hashed-embedder.ts'
import { suite } from '../../suite.ts'
import { signIn } from './signed-in.ts'

const test = suite('what the console answers')

test('every answer has the shape of the contract, and no more', async () => {
  const service = await openService({ console: { access: 'everyone' } })
  const { sql } = service.database
  const embedder = hashedEmbedder()
  const transport = await openTransport('socket', {
    ...service.deps,
    explain: createExplain({ sql, embedder, modelId: 1 }),
    insights: { nearest: createFindBestCosines({ sql, embedder, modelId: 1 }), counting: true },
  })
  const key = await service.makeKey(service.project, 'secret', 'live')
  const pushed = await transport.send({
    method: 'POST',
    path: '/v1/reviews',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify([review('a'), { ...review('b'), rating: null }]),
  })
  assert.is(pushed.status, 200)
  const owner = await signIn(transport, { project: service.project.name })
  const own = `projects/${service.project.id}`
  for (const [method, path, schema, body] of [
    ['GET', 'session', consoleSession],
    ['GET', own, consoleProject],
    ['GET', `${own}/health`, consoleHealth],
    ['GET', `${own}/live/asked`, consoleInsights],
    ['GET', `${own}/live/reviews`, consoleReviews],
    ['POST', `${own}/live/search`, consoleSearch, { q: 'fan' }],
  ] as const) {
    const response = await owner.send(method, path, body)
    const text = await response.text()
    assert.is(response.status, 200, `${path}: ${text}`)
    assert.equal(v.parse(schema, JSON.parse(text)), JSON.parse(text), path)
  }
  await transport.close()
  await service.close()
})

test.run()
