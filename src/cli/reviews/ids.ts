import type { Client } from '../../client/client.ts'
import { ApiError } from '../../client/errors.ts'
import { CliError, usageError } from '../errors/failure.ts'

const WHOLE = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const BEGINNING = /^[0-9a-f][0-9a-f-]{3,35}$/i

/**
 * The id that begins as given; a whole one as it is, without asking.
 *
 * @throws {CliError} `not_found`, or usage where several begin so
 */
export async function resolveReviewId(
  client: Pick<Client, 'reviewIds'>,
  given: string,
  signal?: AbortSignal,
): Promise<string> {
  if (WHOLE.test(given)) return given.toLowerCase()
  const hints = ['see the ids with: pullquote reviews list', 'check --project and --env']
  if (!BEGINNING.test(given)) {
    const what = given.length < 4 ? 'is too short: give four letters of the id at least' : 'is no id of a review'
    throw new CliError(`"${given}" ${what}`, { code: 'not_found', hints })
  }
  let ids: string[]
  try {
    ids = await client.reviewIds(given, signal)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error
    throw usageError('this server takes whole ids only', 'copy the whole id from: pullquote reviews list --json')
  }
  const [id, ...others] = ids
  if (id === undefined) {
    throw new CliError(`there is no review ${given} in this project and environment`, { code: 'not_found', hints })
  }
  if (others.length === 0) return id
  throw usageError(`several reviews begin with ${given}`, `write more of it: ${ids.join(', ')}`)
}
