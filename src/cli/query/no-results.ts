import type { Client, QueryOptions } from '../../client/client.ts'
import { oneLine } from '../output/text.ts'

/**
 * Explains to people why a query finds nothing: the nearest excerpt, its score, and what it falls short of.
 */
export async function explainNoResults(
  client: Pick<Client, 'explain'>,
  options: QueryOptions,
  signal: AbortSignal,
): Promise<string[]> {
  const explain = (extras: object) => client.explain({ q: options.q, limit: 1, ...extras }, signal, 1)
  const { filters = {} } = options
  const filterNames = [
    ...(filters.min_rating === undefined ? [] : [`--min-rating ${filters.min_rating}`]),
    ...(filters.source ?? []).map((source) => `--source ${source}`),
    ...(filters.since === undefined ? [] : [`--since ${filters.since}`]),
    ...Object.entries(filters.metadata ?? {}).map(([key, value]) => `--meta ${key}=${value}`),
  ]
  const { floor, word_tier, min_rating, off_domain, results } = await explain({ filters })
  const bars = `the floor is ${formatScore(floor)}, or ${formatScore(word_tier)} with half of the words`
  if (off_domain.length > 0) {
    const words = off_domain.map(oneLine).join(', ')
    return [`What comes near says nothing of ${words}, which lessens its score: ${bars}.`]
  }
  if (results.length > 0) return ['What fits was indexed just now: ask again.']
  const wide = await explain({ filters, floor: 0 })
  const [nearest] = wide.results
  if (nearest) {
    const narrowed = filterNames.length > 0 ? ` with ${filterNames.join(', ')}` : ''
    const missing = wide.off_domain.map(oneLine).join(', ')
    const score = `${formatScore(nearest.cosine ?? 0)}${missing === '' ? '' : `, lessened because nothing near says ${missing}`}`
    return [`What comes nearest${narrowed} has a score of ${score}, and ${bars}.`]
  }
  const policy = `The project shows reviews of ${min_rating} stars and more, and unrated ones that are not negative`
  if (filterNames.length === 0) return [`${policy}: none of its reviews comes near at all.`]
  const [without] = (await explain({ floor: 0 })).results
  const nothing = `No review that may appear comes near with ${filterNames.join(', ')}.`
  if (!without) return [nothing, `${policy}: none comes near without the filters either.`]
  return [nothing, `Without the filters the nearest has a score of ${formatScore(without.cosine ?? 0)}, and ${bars}.`]
}

function formatScore(value: number): string {
  return value.toFixed(2)
}
