import * as assert from 'uvu/assert'
import { type ReviewInput, reviewInput } from '../../../src/contract/review.ts'
import { validate } from '../../../src/contract/validate.ts'
import { validateReview } from '../../../src/importer/rows/validate-review.ts'
import { suite } from '../../suite.ts'

const test = suite('the check of a review that was read from a file')

const good: ReviewInput = {
  external_id: 'r-1',
  source: 'google',
  rating: 4,
  text: 'Quiet rooms, good tea.',
  author_name: 'Ana Ruiz',
  occurred_at: new Date('2026-01-05T10:00:00.250Z'),
}
const half = 'half \ud83d'

test('says what the schema says of every field', () => {
  const metadata = (entries: Record<string, string>) => ({ ...good, metadata: entries })
  const cases: ReviewInput[] = [
    good,
    {
      ...good,
      rating: null,
      language: 'pt-BR',
      url: 'https://example.com/1',
      author_avatar_url: 'https://example.com/a',
    },
    metadata({ product: 'teapot', ['__proto__']: 'own' }),
    ...['', 'x'.repeat(512), 'x'.repeat(513), 'a\u0000b', half].map((id) => ({ ...good, external_id: id })),
    ...['', ' ', ' two ', 'x'.repeat(20_000), 'x'.repeat(20_001), '\u0000', half].map((text) => ({ ...good, text })),
    ...['', 'x'.repeat(256), 'x'.repeat(257), half].map((name) => ({ ...good, author_name: name })),
    ...['', 'no link', 'https://exa mple.com/', 'https://example.com/é'].flatMap((link) => [
      { ...good, url: link },
      { ...good, author_avatar_url: link },
    ]),
    ...['e', 'en-', 'x'.repeat(40)].map((language) => ({ ...good, language })),
    metadata({ k: 'x'.repeat(513) }),
    metadata({ ['k'.repeat(65)]: 'v' }),
    metadata({ k: half }),
    metadata(Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`k${index}`, 'v']))),
  ]
  for (const review of cases) {
    const bySchema = validate(reviewInput, { ...review, occurred_at: review.occurred_at.toISOString() })
    assert.equal(validateReview(review), bySchema, JSON.stringify(review).slice(0, 200))
  }
})

test.run()
