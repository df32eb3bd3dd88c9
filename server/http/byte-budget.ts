import { ApiError } from './api-error.ts'

const RETRY_SECONDS = 5
const CROWDED = 0.75

/** How many bytes of bodies the process holds at once, as they arrive: what is only announced takes no memory. */
export class ByteBudget {
  readonly limit: number
  #held = 0

  constructor(limit: number) {
    this.limit = limit
  }

  /** Whether what is left should go to those who show a key first. */
  get isCrowded(): boolean {
    return this.#held >= this.limit * CROWDED
  }

  get held(): number {
    return this.#held
  }

  take(bytes: number): boolean {
    if (this.#held + bytes > this.limit) return false
    this.#held += bytes
    return true
  }

  give(bytes: number): void {
    this.#held -= bytes
  }
}

/** Bytes of one request. They count against one budget and can be moved to another. */
export class Holding {
  #budget: ByteBudget
  #bytes = 0

  constructor(budget: ByteBudget) {
    this.#budget = budget
  }

  /** @returns false, and holds no more than before, when the budget has no room */
  add(bytes: number): boolean {
    if (!this.#budget.take(bytes)) return false
    this.#bytes += bytes
    return true
  }

  /** @throws {ApiError} `service_unavailable` when the other has no room */
  moveTo(budget: ByteBudget): void {
    if (!budget.take(this.#bytes)) throw noRoom()
    this.#budget.give(this.#bytes)
    this.#budget = budget
  }

  /** May be called twice. */
  release(): void {
    this.#budget.give(this.#bytes)
    this.#bytes = 0
  }
}

export interface BodyBudgets {
  /** Bodies whose sender is not known yet: the contract has them read before their key is looked at. */
  strangers: ByteBudget
  /** Bodies that came with a good key or token, until they are answered. */
  known: ByteBudget
}

const MIB = 1_048_576

export function bodyBudgets(limits: { strangers?: number; known?: number } = {}): BodyBudgets {
  return {
    // Thirty-two of the largest pushes that are on their way at the same moment.
    strangers: new ByteBudget(limits.strangers ?? 32 * MIB),
    // Nine imports of 10 MiB wait or run at most; the rest is for pushes.
    known: new ByteBudget(limits.known ?? 128 * MIB),
  }
}

/** 503: too many bodies are on their way or being worked on. */
export function noRoom(): ApiError {
  return new ApiError(
    'service_unavailable',
    'The server is receiving as many request bodies as it has memory for. Nothing was written: send the request again.',
    { retryAfterSeconds: RETRY_SECONDS },
  )
}
