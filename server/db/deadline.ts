import { AsyncLocalStorage } from 'node:async_hooks'
import { CodedError } from '../../src/contract/code-of.ts'

/**
 * The time that a request has for its answer. Whoever waits for the answer stops at its end; what still runs then must
 * not write afterwards, so that transactions look at it before they begin and before they commit.
 */
class Deadline {
  /** From now on nothing is committed any more. */
  passed = false
  /** Commits that were sent and not answered: nobody can know whether they were written. */
  commits = 0

  /** @throws {DeadlinePassed} */
  check(): void {
    if (this.passed) throw new DeadlinePassed()
  }
}

/** The database did not answer in time, or answered when nobody waited any more: the transaction is rolled back. */
export class DeadlinePassed extends CodedError<'deadline_passed'> {
  constructor() {
    super('deadline_passed', 'The database did not answer in time')
  }
}

/** Carries a request's deadline to its transactions, so that it is not passed from call to call. */
const current = new AsyncLocalStorage<Deadline>()

/**
 * Waits for `work` so long and no longer. Its transactions are rolled back afterwards, when they get that far.
 *
 * @param otherwise makes the error at the end; its argument: whether a commit is under way, whose outcome is unknown
 */
export function withDeadline<T>(
  work: () => Promise<T>,
  ms: number,
  otherwise: (isCommitting: boolean) => Error = () => new DeadlinePassed(),
): Promise<T> {
  const deadline = new Deadline()
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const error = otherwise(deadline.commits > 0)
      deadline.passed = true
      reject(error)
    }, ms)
    current
      .run(deadline, work)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
}

/** The deadline of the request that this runs for; undefined outside of requests. */
export function currentDeadline(): Deadline | undefined {
  return current.getStore()
}
