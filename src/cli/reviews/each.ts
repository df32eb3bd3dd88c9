import type { Client } from '../../client/client.ts'
import { ApiError } from '../../client/errors.ts'
import type { StoredReview } from '../../contract/review.ts'
import { CliError, toFailure } from '../errors/failure.ts'
import { resolveReviewId } from './ids.ts'

export interface FoundReviews {
  /** Each once, in the order they were named. */
  found: StoredReview[]
  /** What was named and is not there. */
  missing: string[]
}

/** Looks up the reviews that are named by their ids, or by how these begin. Nothing is done to them. */
export async function findReviews(
  client: Pick<Client, 'reviewIds' | 'show'>,
  named: readonly string[],
  signal: AbortSignal,
): Promise<FoundReviews> {
  const found = new Map<string, StoredReview>()
  const missing: string[] = []
  for (const given of new Set(named)) {
    try {
      const id = await resolveReviewId(client, given, signal)
      if (!found.has(id)) found.set(id, await client.show(id, signal))
    } catch (error) {
      const isMissing = (error instanceof ApiError || error instanceof CliError) && error.code === 'not_found'
      if (!isMissing) throw error
      missing.push(given)
    }
  }
  const [only] = found.values()
  if (only === undefined) throw noReview(missing, 0)
  return { found: [...found.values()], missing }
}

/**
 * Does one thing to each review of a list. Those that do not exist fail the command at its end, after the others were
 * done; any other failure ends it at once and says how many were done.
 */
export async function forEachReview<T>(
  { found, missing }: FoundReviews,
  work: (review: StoredReview) => Promise<T>,
): Promise<T[]> {
  const done: T[] = []
  const gone = [...missing]
  for (const review of found) {
    try {
      done.push(await work(review))
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not_found') {
        gone.push(review.id)
        continue
      }
      if (found.length === 1) throw error
      const { what, code, hints, exitCode } = toFailure(error)
      throw new CliError(`${what}; ${done.length} of ${found.length} were done before`, { code, hints, exitCode })
    }
  }
  if (gone.length > 0) throw noReview(gone, done.length)
  return done
}

function noReview(missing: readonly string[], done: number): CliError {
  const others = done > 0 ? `; the other ${done} were done` : ''
  return new CliError(`there is no review ${missing.join(', ')} in this project and environment${others}`, {
    code: 'not_found',
    hints: ['see the ids with: pullquote reviews list', 'check --project and --env'],
  })
}
