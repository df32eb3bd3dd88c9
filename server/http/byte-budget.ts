import { type ApiError, serviceUnavailable } from './api-error.ts'

const RETRY_SECONDS = 5
const CROWDED = 0.75

/** How many bytes of bodies the process holds at once, as they arrive: what is only announced takes no memory. */
class ByteBudget {
  readonly limit: number
  #reserved = 0

  constructor(limit: number) {
    this.limit = limit
  }

  /** Whether what is left should go to those who show a key first. */
  get isCrowded(): boolean {
    return this.#reserved >= this.limit * CROWDED
  }

  get reserved(): number {
    return this.#reserved
  }

  reserve(bytes: number): boolean {
    if (this.#reserved + bytes > this.limit) return false
    this.#reserved += bytes
    return true
  }

  release(bytes: number): void {
    this.#reserved -= bytes
  }
}

/** Bytes of one request. They count against one budget and can be moved to another. */
export class Reservation {
  #budget: ByteBudget
  #bytes = 0

  constructor(budget: ByteBudget) {
    this.#budget = budget
  }

  /** @returns false, and holds no more than before, when the budget has no room */
  add(bytes: number): boolean {
    if (!this.#budget.reserve(bytes)) return false
    this.#bytes += bytes
    return true
  }

  /** @throws {ApiError} `service_unavailable` when the other has no room */
  moveTo(budget: ByteBudget): void {
    if (!budget.reserve(this.#bytes)) throw bodyMemoryExhausted()
    this.#budget.release(this.#bytes)
    this.#budget = budget
  }

  /** May be called twice. */
  release(): void {
    this.#budget.release(this.#bytes)
    this.#bytes = 0
  }
}

export interface BodyBudgets {
  /** Bodies whose sender is not known yet: the contract has them read before their key is looked at. */
  unauthenticated: ByteBudget
  /** Bodies that came with a good key or token, until they are answered. */
  authenticated: ByteBudget
}

const MIB = 1_048_576

export function bodyBudgets(limits: { unauthenticated?: number; authenticated?: number } = {}): BodyBudgets {
  return {
    // Thirty-two of the largest pushes that are on their way at the same moment.
    unauthenticated: new ByteBudget(limits.unauthenticated ?? 32 * MIB),
    // Nine imports of 10 MiB wait or run at most; the rest is for pushes.
    authenticated: new ByteBudget(limits.authenticated ?? 128 * MIB),
  }
}

/** 503: too many bodies are being received or processed. */
export function bodyMemoryExhausted(): ApiError {
  return serviceUnavailable(
    'The server is receiving as many request bodies as it has memory for. Nothing was written: send the request again.',
    RETRY_SECONDS,
  )
}
