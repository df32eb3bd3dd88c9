import { setTimeout as sleepMs } from 'node:timers/promises'
import { ApiError, Cancelled, ConnectionFailed } from './errors.ts'

export interface Wait {
  reason: 'rate_limited' | 'service_unavailable' | 'embedding_unavailable' | 'connection_failed'
  seconds: number
  attempt: number
  attempts: number
  /** The server's message, or why there was no response. */
  message: string
}

export interface RetryPolicy {
  /** Total number of attempts, including the first. */
  attempts: number
  /** Maximum single wait; a longer `Retry-After` is not awaited. */
  longestWaitSeconds: number
  onWait?: (wait: Wait) => void
  /** Called when a request has had no response for {@link SILENCE_SECONDS}. */
  onSilence?: () => void
  /** Resolves after the seconds or when the signal fires; tests pass one that does not wait. */
  sleep?: (seconds: number, signal?: AbortSignal) => Promise<void>
}

/** Delay before a caller is told that there is no response; most take less than one second. */
export const SILENCE_SECONDS = 10

/** Enough for a full rate window (60 s) and a restart of the database. */
export const DEFAULT_RETRY: RetryPolicy = { attempts: 6, longestWaitSeconds: 90 }

/**
 * Retries until `attempt` succeeds: after a 429, a 503 or a proxy's 502 or 504 when `Retry-After` has passed, after a broken
 * connection in 1, 2, 4 … seconds. Requests that may not be sent twice throw `OutcomeUnknown`, which is not retried.
 *
 * @param attempt throws {@link Cancelled} when `signal` has fired, as during a wait
 * @throws the last attempt's error
 */
export async function withRetry<T>(
  policy: RetryPolicy,
  signal: AbortSignal | undefined,
  attempt: () => Promise<T>,
): Promise<T> {
  const { sleep = sleepSeconds } = policy
  for (let tried = 1; ; tried++) {
    try {
      return await watched(attempt, policy.onSilence)
    } catch (error) {
      const wait = waitAfter(error, tried, policy)
      if (!wait) throw error
      if (signal?.aborted) throw new Cancelled()
      policy.onWait?.(wait)
      await sleep(wait.seconds, signal)
    }
  }
}

async function watched<T>(attempt: () => Promise<T>, onSilence: RetryPolicy['onSilence']): Promise<T> {
  if (!onSilence) return attempt()
  const timer = setTimeout(onSilence, SILENCE_SECONDS * 1000)
  try {
    return await attempt()
  } finally {
    clearTimeout(timer)
  }
}

/** The wait before the next attempt; undefined when a retry would not help. */
function waitAfter(error: unknown, attempt: number, { attempts, longestWaitSeconds }: RetryPolicy): Wait | undefined {
  const reason = reasonToWait(error)
  if (reason === undefined || attempt >= attempts) return undefined
  const backOff = 2 ** (attempt - 1)
  const asked = error instanceof ApiError ? error.retryAfterSeconds : undefined
  // A starting server asks for one second each time.
  const seconds = reason === 'service_unavailable' ? Math.max(asked ?? 1, backOff) : (asked ?? backOff)
  const message = error instanceof Error ? error.message : ''
  return seconds > longestWaitSeconds ? undefined : { reason, seconds, attempt, attempts, message }
}

function reasonToWait(error: unknown): Wait['reason'] | undefined {
  if (error instanceof ConnectionFailed) return error.code === 'connection_failed' ? error.code : undefined
  if (!(error instanceof ApiError)) return undefined
  const { code, status } = error
  if (code === 'rate_limited' || code === 'embedding_unavailable') return code
  const isPassing = status === 503 || (code === 'unexpected_answer' && (status === 429 || isOfGateway(status)))
  return isPassing ? 'service_unavailable' : undefined
}

/** A proxy does not reach the server, as while that is restarted; from 520 on Cloudflare's. */
export function isOfGateway(status: number): boolean {
  return (status >= 502 && status <= 504) || (status >= 520 && status <= 524)
}

async function sleepSeconds(seconds: number, signal?: AbortSignal): Promise<void> {
  await sleepMs(seconds * 1000, undefined, { signal }).catch(() => {})
}
