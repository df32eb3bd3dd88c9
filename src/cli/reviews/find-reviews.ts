import type { Client } from '../../client/client.ts'
import { ApiError } from '../../client/errors.ts'
import type { StoredReview } from '../../contract/review.ts'
import { CliError, toCliError, usageError } from '../errors/cli-error.ts'

export interface FoundReviews {
  /** Without duplicates, in the order given. */
  found: StoredReview[]
  /** The ids given that do not exist. */
  missing: string[]
}

/** Looks up reviews by their ids or id prefixes. @throws {CliError} `not_found` when none of them exists */
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
 * Runs `work` for each review. Missing reviews fail the command at its end, after the others are done; any other failure
 * ends it at once, with the number done so far.
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
      const { message, code, hints, exitCode } = toCliError(error)
      throw new CliError(`${message}; ${done.length} of ${found.length} were done before`, { code, hints, exitCode })
    }
  }
  if (gone.length > 0) throw noReview(gone, done.length)
  return done
}

function noReview(missing: readonly string[], done: number): CliError {
  const others = done > 0 ? `; the other ${done} were done` : ''
  return notFound(`there is no review ${missing.join(', ')} in this project and environment${others}`)
}

function notFound(message: string): CliError {
  const hints = ['see the ids with: pullquote reviews list', 'check --project and --env']
  return new CliError(message, { code: 'not_found', hints })
}

const WHOLE = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const BEGINNING = /^[0-9a-f][0-9a-f-]{3,35}$/i

/**
 * The full id for an id prefix; a full id is returned without a request.
 *
 * @throws {CliError} `not_found`, or usage when the prefix is ambiguous
 */
export async function resolveReviewId(
  client: Pick<Client, 'reviewIds'>,
  given: string,
  signal?: AbortSignal,
): Promise<string> {
  if (WHOLE.test(given)) return given.toLowerCase()
  if (!BEGINNING.test(given)) {
    const what =
      given.length < 4 ? 'is too short: give at least four characters of the id' : 'is not the id of a review'
    throw notFound(`"${given}" ${what}`)
  }
  let ids: string[]
  try {
    ids = await client.reviewIds(given, signal)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error
    throw usageError('this server only accepts full ids', 'copy the full id from: pullquote reviews list --json')
  }
  const [id, ...others] = ids
  if (id === undefined) throw noReview([given], 0)
  if (others.length === 0) return id
  throw usageError(`several reviews begin with ${given}`, `give more characters: ${ids.join(', ')}`)
}
