import { AsyncLocalStorage } from 'node:async_hooks'
import { CodedError } from '../../src/contract/code-of.ts'

/**
 * The time limit of a request. Its caller stops waiting at the end; whatever still runs must not write afterwards, so
 * transactions check it before they begin and before they commit.
 */
class Deadline {
  /** From now on nothing is committed. */
  passed = false
  /** Commits sent but not confirmed, which may or may not have been written. */
  commits = 0

  /** @throws {DeadlinePassed} */
  check(): void {
    if (this.passed) throw new DeadlinePassed()
  }
}

/** The database did not answer in time, or only after the caller had left: the transaction is rolled back. */
export class DeadlinePassed extends CodedError<'deadline_passed'> {
  constructor() {
    super('deadline_passed', 'The database did not answer in time')
  }
}

/**
 * Awaits `work` up to a time limit, for work without transactions: what it still does later must not matter.
 * @param otherwise creates the error at the end
 */
export function withTimeLimit<T>(
  work: () => Promise<T>,
  ms: number,
  otherwise: () => Error = () => new DeadlinePassed(),
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(otherwise()), ms)
    work()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
}

/**
 * Awaits `work` up to a time limit. Its transactions are rolled back if they get to their commit later.
 * @param otherwise creates the error at the end; its argument tells whether a commit of unknown outcome is under way
 */
export function withDeadline<T>(
  work: () => Promise<T>,
  ms: number,
  otherwise: (isCommitting: boolean) => Error = () => new DeadlinePassed(),
): Promise<T> {
  const deadline = new Deadline()
  return withTimeLimit(
    () => carry(deadline, work),
    ms,
    () => {
      const error = otherwise(deadline.commits > 0)
      deadline.passed = true
      return error
    },
  )
}

/** Carries a request's deadline to its transactions, so that it need not be passed from call to call. */
const current = new AsyncLocalStorage<Deadline>()
let carried = 0

/**
 * Before Node 24 every promise of the process is tracked once the storage was used, until it is disabled: that took a cached
 * answer, which needs no deadline, a sixth of its processor time.
 */
async function carry<T>(deadline: Deadline, work: () => Promise<T>): Promise<T> {
  carried++
  try {
    return await current.run(deadline, work)
  } finally {
    carried--
    if (carried === 0) current.disable()
  }
}

/** The deadline of the current request; undefined outside of requests. */
export function currentDeadline(): Deadline | undefined {
  return current.getStore()
}
