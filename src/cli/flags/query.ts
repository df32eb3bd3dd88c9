import { Flags, type Interfaces } from '@oclif/core'
import type { QueryOptions } from '../../client/client.ts'
import { RATING } from '../../contract/limits.ts'
import { SOURCES } from '../../contract/review.ts'
import type { FieldLabels } from '../errors/api-validation.ts'
import { metadataFlag, parseMetadata } from './metadata.ts'
import { repeatedFlag } from './repeated.ts'

/** `--source google,yelp`, or repeated. */
const sourcesFlag = repeatedFlag({ description: 'from this source only', delimiter: ',', options: [...SOURCES] })

/** What `query` and `snippet` ask with. @param since what --since says of itself */
export const queryFlags = (since: string) => ({
  mode: Flags.option({ description: 'excerpts, or whole reviews', options: ['excerpts', 'reviews'] as const })(),
  fallback: Flags.option({ description: 'what to show when nothing fits', options: ['none', 'recent'] as const })(),
  'min-rating': Flags.integer({ description: 'at least so many stars', ...RATING }),
  source: sourcesFlag,
  since: Flags.string({ description: since, helpValue: '2026-01-31' }),
  meta: metadataFlag,
})

/** The fields of a query, by what the command line calls them. */
export const QUERY_FIELD_LABELS: FieldLabels = {
  q: 'the text',
  limit: '--limit',
  mode: '--mode',
  include: '--include',
  fallback: '--fallback',
  'filters.min_rating': '--min-rating',
  'filters.source': '--source',
  'filters.since': '--since',
  'filters.metadata': '--meta',
  review: '--review',
}

/** @throws {CliError} usage: a `--meta` that is no pair */
export function queryOptions(
  flags: Partial<Interfaces.InferredFlags<ReturnType<typeof queryFlags>>> & { limit?: number | undefined },
): QueryOptions {
  const { limit, mode, fallback, source, since } = flags
  const filters = { min_rating: flags['min-rating'], source, since, metadata: parseMetadata(flags.meta) }
  return { limit, mode, fallback, filters }
}
