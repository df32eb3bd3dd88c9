import { ApiError } from '../client/errors.ts'
import { CliError, failureOf } from './failure.ts'

/**
 * Does one thing to each review of a list. One that does not exist fails the command at its end, after the others were
 * done; any other failure ends it at once and says which were done.
 */
export async function eachReview<T>(ids: readonly string[], work: (id: string) => Promise<T>): Promise<T[]> {
  const done: T[] = []
  const missing: string[] = []
  for (const id of new Set(ids)) {
    try {
      done.push(await work(id))
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not_found') {
        missing.push(id)
        continue
      }
      if (ids.length === 1) throw error
      const { what, code, hints, exitCode } = failureOf(error)
      throw new CliError(`${what}; ${done.length} of ${ids.length} were done before`, { code, hints, exitCode })
    }
  }
  if (missing.length > 0) {
    const others = done.length > 0 ? `; the other ${done.length} were done` : ''
    throw new CliError(`there is no review ${missing.join(', ')} in this project and environment${others}`, {
      code: 'not_found',
      hints: ['see the ids with: pullquote reviews list', 'check --project and --env'],
    })
  }
  return done
}
