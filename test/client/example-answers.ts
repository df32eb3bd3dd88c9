import type { CreatedKey } from '../../src/contract/key.ts'
import type { Project } from '../../src/contract/project.ts'
import type { StoredReview } from '../../src/contract/review.ts'

/** What servers answer, in the contract's shape; tests tell what matters to them. */

export function exampleProject(told: Partial<Project> = {}): Project {
  return {
    id: 'p-1',
    name: 'hotel',
    plan: 'free',
    origins: [],
    similarity_floor: 0.66,
    min_rating: 4,
    excerpts: 'all',
    reviews: { live: 0, test: 0 },
    review_limit: 5_000,
    created_at: '2026-01-05T10:00:00.000Z',
    ...told,
  }
}

export function exampleCreatedKey(told: Partial<CreatedKey> = {}): CreatedKey {
  return {
    id: 'k-1',
    key: `svc_sk_live_${'0'.repeat(32)}`,
    kind: 'secret',
    env: 'live',
    project: 'hotel',
    name: null,
    created_at: '2026-01-05T10:00:00.000Z',
    expires_at: null,
    ...told,
  }
}

export function exampleReview(told: Partial<StoredReview> = {}): StoredReview {
  return {
    id: '3f0c9a4e-8f55-4d0b-9a54-000000000001',
    external_id: 'g-1',
    source: 'google',
    rating: 5,
    text: 'Quiet.',
    author_name: 'Marta K.',
    author_avatar_url: null,
    occurred_at: '2026-01-05T10:00:00.000Z',
    url: null,
    language: null,
    metadata: {},
    sentiment: 'positive',
    sentiment_source: 'rating',
    hidden: false,
    status: 'indexed',
    created_at: '2026-01-05T10:00:00.000Z',
    updated_at: '2026-01-05T10:00:00.000Z',
    ...told,
  }
}
