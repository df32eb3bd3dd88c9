import { type ApiError, serviceUnavailable } from './api-error.ts'

const RETRY_SECONDS = 5
const CROWDED = 0.75

/** Limits the bytes of bodies in memory, counted as they arrive: announced ones take no memory. */
class ByteBudget {
  readonly limit: number
  #reserved = 0

  constructor(limit: number) {
    this.limit = limit
  }

  /** Whether the rest should be left to requests that show a key first. */
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

/** Bytes of one request. They count towards one budget and can be moved to another. */
export class Reservation {
  #budget: ByteBudget
  #bytes = 0

  constructor(budget: ByteBudget) {
    this.#budget = budget
  }

  /** @returns false, keeping what it holds, when the budget has no room */
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

  /** Called once, at the end. */
  release(): void {
    this.#budget.release(this.#bytes)
  }
}

export interface BodyBudgets {
  /** Bodies of unknown senders: the contract requires them to be read before their key is checked. */
  unauthenticated: ByteBudget
  /** Bodies with a valid key or token, until they are answered. */
  authenticated: ByteBudget
}

const MIB = 1_048_576

export function bodyBudgets(limits: { unauthenticated?: number; authenticated?: number } = {}): BodyBudgets {
  return {
    // Thirty-two of the largest pushes arriving at once.
    unauthenticated: new ByteBudget(limits.unauthenticated ?? 32 * MIB),
    // At most nine imports of 10 MiB wait or run; the rest is for pushes.
    authenticated: new ByteBudget(limits.authenticated ?? 128 * MIB),
  }
}

/** 503: too many bodies are being received or processed. */
export function bodyMemoryExhausted(): ApiError {
  return serviceUnavailable(
    'The server is receiving as many request bodies as it has memory for. Nothing was written. Try again in a minute.',
    RETRY_SECONDS,
  )
}
