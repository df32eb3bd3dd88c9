import type { ConsoleProject } from '../src/contract/console.ts'
import { PAGE_HEADER } from '../src/contract/console-page.ts'
import type { ErrorEnvelope } from '../src/contract/errors.ts'
import { anySignal } from './signals.ts'

/** An error response, with the server's message. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  /** The whole response body, which may have more fields. */
  readonly body: unknown

  constructor(status: number, envelope: ErrorEnvelope | undefined) {
    super(envelope?.error?.message ?? `The server answered with status ${status}.`)
    this.status = status
    this.code = envelope?.error?.code ?? 'unknown'
    this.body = envelope
  }
}

/** The project as it is now, if the error is the refusal of a change because another came first. */
export function currentProject(error: unknown): ConsoleProject | undefined {
  if (!(error instanceof ApiError && error.status === 409)) return undefined
  return (error.body as { current: ConsoleProject }).current
}

/** No response: the server is down, restarting, or unreachable. */
class Unreachable extends Error {
  constructor() {
    super('The server does not answer.')
  }
}

/** The message of an error for the user. */
export function errorText(error: unknown): string {
  if (error instanceof Unreachable) return 'The server is not responding. Is it running?'
  if (!(error instanceof Error)) return String(error)
  const isOfServer = error instanceof ApiError && error.status >= 500
  return isOfServer ? `${error.message} If this stays, tell whoever runs the server.` : error.message
}

/** Relative to the page, wherever a proxy has mounted it. */
const BASE = new URL('console/api/', document.baseURI)
const STORED = 'pullquote-console'
const TIMEOUT_MS = 30_000

/**
 * Half of the credentials of a session. The other half is a cookie, which scripts cannot read; this one is stored under
 * the page's origin, port included, out of reach of other programs on the same host.
 */
export const token = {
  get: () => localStorage.getItem(STORED) ?? '',
  set: (value: string) => localStorage.setItem(STORED, value),
  forget: () => localStorage.removeItem(STORED),
}

/** Whether the page has local storage: a browser that blocks cookies and site data throws on any access. */
export function hasStorage(): boolean {
  try {
    token.get()
    return true
  } catch {
    return false
  }
}

const listeners: {
  signedOut?: (message: string) => void
  lost?: () => void
  back?: () => void
  waiting?: (isWaiting: boolean) => void
  updated?: () => void
} = {}
/** Sets the listeners for the end of the session, for the server going away, coming back and being updated, and for slow responses. */
export function listen(to: typeof listeners): void {
  Object.assign(listeners, to)
}

let lostAt = 0
function reportLost(): void {
  lostAt = performance.now()
  listeners.lost?.()
}

/** The response to a request sent before the server was lost does not show that it is back. */
function reportResponse(sentAt: number): void {
  if (sentAt >= lostAt) listeners.back?.()
}

const SLOW_MS = 1_500
let slowCount = 0
/** Reports a response that takes long. @returns what ends the wait */
function watchWait(): () => void {
  let isSlow = false
  const timer = setTimeout(() => {
    isSlow = true
    slowCount++
    listeners.waiting?.(true)
  }, SLOW_MS)
  return () => {
    clearTimeout(timer)
    if (isSlow && --slowCount === 0) listeners.waiting?.(false)
  }
}

interface RequestOptions {
  /** Sent as JSON, or unchanged if it is a file. */
  body?: unknown
  signal?: AbortSignal | undefined
  accept?: string
  /** Default: 30 s; 0 for no timeout. */
  timeoutMs?: number
}

/** @throws {ApiError | Unreachable}, or the abort reason of `signal` */
export async function send(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
  const { body, signal, accept, timeoutMs = TIMEOUT_MS } = options
  const isFile = body instanceof Blob
  const signals = [...(signal ? [signal] : []), ...(timeoutMs > 0 ? [AbortSignal.timeout(timeoutMs)] : [])]
  const sentAt = performance.now()
  const sentToken = token.get()
  // What has no time limit says itself that it takes long.
  const endWait = timeoutMs > 0 ? watchWait() : undefined
  let response: Response
  try {
    response = await fetch(new URL(path, BASE), {
      method,
      headers: {
        'x-pullquote-console': sentToken,
        ...(accept ? { accept } : {}),
        ...(body === undefined ? {} : { 'content-type': isFile ? 'application/octet-stream' : 'application/json' }),
      },
      credentials: 'same-origin',
      redirect: 'error',
      signal: anySignal(...signals),
      ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    reportLost()
    throw new Unreachable()
  } finally {
    endWait?.()
  }
  if (response.ok) {
    reportResponse(sentAt)
    const script = response.headers.get(PAGE_HEADER)
    if (script && !import.meta.url.includes(script)) listeners.updated?.()
    return response
  }
  const envelope = await response.json().catch(() => undefined)
  // From a proxy whose server is down.
  if (response.status >= 502 && !envelope?.error) {
    reportLost()
    throw new Unreachable()
  }
  reportResponse(sentAt)
  const refusal = new ApiError(response.status, envelope)
  // A refused link says nothing about the session, and neither does a token that another tab has replaced meanwhile.
  if (refusal.status === 401 && path !== 'sign-in' && token.get() === sentToken) listeners.signedOut?.(refusal.message)
  throw refusal
}

/** The JSON of the response, unchecked, since the server has the same version as the page. Throws like {@link send}. */
export async function call<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
  const response = await send(method, path, options)
  return response.status === 204 ? (undefined as T) : response.json()
}
