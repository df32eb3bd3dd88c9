import type { Client, QueryOptions } from '../../client/client.ts'
import { floorText, scoreBesideFloor } from '../../contract/score-text.ts'
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
  const bars = `the floor is ${floorText(floor)}, or ${floorText(word_tier)} if half of the words match`
  if (off_domain.length > 0) {
    const words = off_domain.map(oneLine).join(', ')
    return [`The nearest reviews do not mention ${words}, which lowers their scores: ${bars}.`]
  }
  if (results.length > 0) return ['A review that fits was indexed just now: try again.']
  const wide = await explain({ filters, floor: 0 })
  const [nearest] = wide.results
  if (nearest) {
    const narrowed = filterNames.length > 0 ? ` with ${filterNames.join(', ')}` : ''
    const missing = wide.off_domain.map(oneLine).join(', ')
    const score = `${scoreBesideFloor(nearest.cosine ?? 0, floor)}${missing === '' ? '' : `, lowered because no review near it mentions ${missing}`}`
    return [`The nearest excerpt${narrowed} has a score of ${score}; ${bars}.`]
  }
  const policy = `The project shows reviews with at least ${min_rating} stars, and unrated ones that are not negative`
  if (filterNames.length === 0) return [`${policy}: none of them is close to this text at all.`]
  const [without] = (await explain({ floor: 0 })).results
  const nothing = `With ${filterNames.join(', ')}, no review that may appear is close to this text.`
  if (!without) return [nothing, `${policy}: without the filters, none is close to this text either.`]
  return [
    nothing,
    `Without the filters, the nearest excerpt has a score of ${scoreBesideFloor(without.cosine ?? 0, floor)}; ${bars}.`,
  ]
}
