import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { runAgainst, SECRET_KEY } from '../run-cli.ts'
import { answer } from './canned-answer.ts'

const test = suite('what query says when little or nothing fits')

const none = { results: [], match: 'none', took_ms: 1, cached: false, badge: true }
const explained = (results: object[], extras: object = {}) => ({
  body: { words: [], floor: 0.66, word_tier: 0.53, min_rating: 4, limit: 1, results, ...extras },
})
const near = {
  excerpt_id: 'e',
  review_id: 'r',
  excerpt: 'x',
  cosine: 0.41,
  words_matched: [],
  words_needed: 0,
  text_rank: null,
  passes_by: 'floor',
  fused: null,
  place: 1,
}

test('nothing fits: the floor that held it back is named with the score of the nearest', async () => {
  const { stderr, code } = await runAgainst(['query', 'tax'], {
    answer: ({ path, body }) => {
      if (path === '/v1/query') return { body: none }
      return explained((body as { floor?: number } | undefined)?.floor === 0 ? [near] : [])
    },
  })
  assert.is(code, 0)
  assert.match(
    stderr,
    /The nearest excerpt has a score of 0\.41; the floor is 0\.66, or 0\.53 if half of the words match/,
  )
  assert.not.match(stderr, /filter/)
})

test('nothing fits: a score just below the floor does not look like the floor', async () => {
  const { stderr } = await runAgainst(['query', 'tax'], {
    answer: ({ path, body }) => {
      if (path === '/v1/query') return { body: none }
      const isWide = (body as { floor?: number } | undefined)?.floor === 0
      return explained(isWide ? [{ ...near, cosine: 0.6571 }] : [])
    },
  })
  assert.match(stderr, /has a score of 0\.657; the floor is 0\.66,/)
})

test('nothing fits, and a moment later something does: it was indexed meanwhile', async () => {
  const { stderr } = await runAgainst(['query', 'tax'], {
    answer: ({ path }) => (path === '/v1/query' ? { body: none } : explained([near])),
  })
  assert.match(stderr, /A review that fits was indexed just now: try again\./)
  assert.not.match(stderr, /comes nearest/)
})

test('nothing fits: the words that nothing near says are named, whatever comes near without them', async () => {
  const { stderr } = await runAgainst(['query', 'basketball playoffs'], {
    answer: ({ path }) =>
      path === '/v1/query' ? { body: none } : explained([near], { off_domain: ['basketball', 'playoffs'] }),
  })
  assert.match(
    stderr,
    /The nearest reviews do not mention basketball, playoffs, which lowers their scores: the floor is 0\.66/,
  )
})

test('nothing fits: a score that is lessened is said to be', async () => {
  const { stderr } = await runAgainst(['query', 'basketball playoffs'], {
    answer: ({ path, body }) => {
      if (path === '/v1/query') return { body: none }
      const wide = (body as { floor?: number } | undefined)?.floor === 0
      return wide ? explained([near], { off_domain: ['playoffs'] }) : explained([])
    },
  })
  assert.match(stderr, /has a score of 0\.41, lowered because no review near it mentions playoffs; the floor is 0\.66/)
})

test('nothing fits: filters that held it back are named, and --fallback is not proposed to who gave it', async () => {
  const args = ['query', 'tax', '--min-rating', '5', '--source', 'yelp', '--fallback', 'recent']
  const { stderr } = await runAgainst(args, {
    answer: ({ path, body }) => {
      if (path === '/v1/query') return { body: none }
      const { floor, filters } = (body ?? {}) as { floor?: number; filters?: object }
      return explained(floor === 0 && filters === undefined ? [near] : [])
    },
  })
  assert.match(stderr, /With --min-rating 5, --source yelp, no review that may appear is close to this text\./)
  assert.match(stderr, /Without the filters, the nearest excerpt has a score of 0\.41/)
  assert.not.match(stderr, /--fallback recent for/)
})

test('the heading keeps its colours, whose signs stood there as text', async () => {
  const { stderr } = await runAgainst(['query', 'tax'], {
    answer: () => ({ body: none }),
    env: { PULLQUOTE_KEY: SECRET_KEY, FORCE_COLOR: '1' },
  })
  assert.ok(stderr.startsWith('\u001b[1mNothing fits “tax”\u001b[22m '), stderr)
})

test('reviews are being indexed: that is said, also under a full page, which may change', async () => {
  const review = {
    ...{ id: '8c1d7a52-2f0e-4b53-9a39-5f6c3f1f2b11', external_id: 'a', source: 'google', rating: 5, text: 'New' },
    ...{ author_name: null, author_avatar_url: null, occurred_at: null, url: null, language: null, metadata: {} },
    ...{ sentiment: 'positive', sentiment_source: 'rating', hidden: false, status: 'indexing' },
    ...{ created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' },
  }
  for (const [reviews, found] of [
    [[review], none],
    [[], none],
    [[review], answer],
  ] as const) {
    const { stderr, code } = await runAgainst(['query', 'tax', '--limit', '1'], {
      answer: ({ path }) => {
        if (path === '/v1/query') return { body: found }
        return path.startsWith('/v1/reviews') ? { body: { reviews, next_cursor: null } } : explained([near])
      },
    })
    assert.is(code, 0)
    assert.is(/reviews are still being indexed and cannot be found yet/.test(stderr), reviews.length > 0, stderr)
  }
})

test.run()
