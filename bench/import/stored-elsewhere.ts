/**
 * What it costs an import to recognise reviews that are stored under another id, beside what each import does anyway: comparing
 * its rows with what is stored under theirs. Over made-up reviews, a hundred at a time, in turn.
 *
 *   npx tsx bench/import/stored-elsewhere.ts --database embedded --reviews 5000
 */

import { storedElsewhere } from '../../server/sql/reviews/stored-elsewhere.ts'
import { compareReviews } from '../../server/sql/reviews/write-reviews.ts'
import { REVIEWS_PER_PUSH } from '../../src/contract/limits.ts'
import { STABLE_ID_START } from '../../src/importer/fields/external-id.ts'
import { takeReviews } from '../corpus.ts'
import { pushAll, pushBodies } from '../ingest/fill.ts'
import { flags, median, report, timed } from '../measure.ts'
import { openBenchService } from '../service.ts'

const options = flags({ database: 'embedded', reviews: '5000', rounds: '5' })
const count = Number(options.reviews)
const service = await openBenchService(options.database)
await pushAll(service, pushBodies(count), 2)
await service.worker.stop()
const [scope] = await service.sql<{ projectId: string; env: 'live' | 'test' }[]>`
  select project_id as "projectId", env from environments order by review_count desc limit 1`
if (!scope) throw new Error('There is no environment')

const stored = takeReviews(count).map((review) => ({ ...review, occurred_at: new Date(review.occurred_at) }))
const before = new Date()
const sought = stored.map((review, i) => ({
  ...review,
  external_id: `${STABLE_ID_START}${i}`,
  by: 'day' as const,
  before,
}))

/** Milliseconds for all of them. */
async function inPages<T>(all: readonly T[], work: (page: T[]) => Promise<unknown>): Promise<number> {
  let total = 0
  for (let at = 0; at < all.length; at += REVIEWS_PER_PUSH)
    total += await timed(() => work(all.slice(at, at + REVIEWS_PER_PUSH)))
  return total
}

let found = 0
const times: Record<'compare' | 'recognise', number[]> = { compare: [], recognise: [] }
for (let round = -1; round < Number(options.rounds); round++) {
  const compare = await inPages(stored, (page) => compareReviews(service.sql, scope, page))
  found = 0
  const recognise = await inPages(sought, async (page) => {
    found += (await storedElsewhere(service.sql, scope, page, STABLE_ID_START)).size
  })
  if (round < 0) continue
  times.compare.push(compare)
  times.recognise.push(recognise)
}
report(`${count} reviews, ${options.database.startsWith('embedded') ? 'embedded' : 'PostgreSQL'}`, {
  recognised: found,
  'compared under their ids, µs each': ((median(times.compare) / count) * 1000).toFixed(0),
  'sought under others, µs each': ((median(times.recognise) / count) * 1000).toFixed(0),
  'median of the ratios': median(times.recognise.map((ms, i) => ms / (times.compare[i] ?? 1))).toFixed(2),
})
await service.close()
