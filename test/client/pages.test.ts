import * as assert from 'uvu/assert'
import { createOperator } from '../../src/client/operator.ts'
import { OPERATOR_LIST_LIMIT } from '../../src/contract/limits.ts'
import { suite } from '../suite.ts'

const test = suite("pages of the operator's lists, read")

const project = (n: number) => ({
  id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  name: `inn ${n}`,
  plan: 'free',
  origins: [],
  similarity_floor: 0.66,
  min_rating: 4,
  reviews: { live: 0, test: 0 },
  created_at: '2026-01-01T00:00:00.000Z',
})
const some = (count: number) => Array.from({ length: count }, (_, n) => project(n))

/** A server with so many projects, which knows pages or does not yet. */
function serverOf(count: number, { knowsPages }: { knowsPages: boolean }) {
  const asked: string[] = []
  const fetch = async (request: { url: string }) => {
    const { search, searchParams } = new URL(request.url)
    asked.push(search)
    if (!knowsPages) {
      if (search === '') return Response.json({ projects: some(count) })
      const details = [...searchParams.keys()].map((path) => ({ path, message: 'is not a known parameter' }))
      const error = { code: 'validation_failed', message: 'no', doc_url: 'https://a.example', request_id: 'r', details }
      return Response.json({ error }, { status: 422 })
    }
    const start = Number(searchParams.get('cursor') ?? 0)
    const end = start + Number(searchParams.get('limit') ?? count)
    return Response.json({ projects: some(count).slice(start, end), next_cursor: end < count ? String(end) : null })
  }
  return { asked, operator: createOperator({ fetch, baseUrl: 'https://a.example', operatorToken: 't' }) }
}

test('thousands of projects come page by page', async () => {
  const { asked, operator } = serverOf(1_234, { knowsPages: true })
  const projects = await operator.projects()
  assert.is(projects.length, 1_234)
  assert.is(new Set(projects.map(({ id }) => id)).size, 1_234)
  assert.is(asked.length, Math.ceil(1_234 / OPERATOR_LIST_LIMIT.max))
})

test('who needs a few asks for a few, and learns whether there are more', async () => {
  const { asked, operator } = serverOf(30, { knowsPages: true })
  const { items, more } = await operator.firstProjects(20)
  assert.is(items.length, 20)
  assert.is(more, true)
  assert.equal(asked, ['?limit=20'])
  assert.is((await operator.firstProjects(30)).more, false)
})

test('a server before pages, which refuses the parameter, is asked without it', async () => {
  const { operator } = serverOf(30, { knowsPages: false })
  assert.is((await operator.projects()).length, 30)
  const { items, more } = await operator.firstProjects(20)
  assert.is(items.length, 20)
  assert.is(more, true)
})

test.run()
