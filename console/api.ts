import type { ErrorEnvelope } from '../src/contract/errors.ts'
import { firstOf } from './signals.ts'

/** What the server refused, in its words. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  /** The whole answer, which may say more. */
  readonly body: unknown

  constructor(status: number, envelope: ErrorEnvelope | undefined) {
    super(envelope?.error?.message ?? `The server answered with status ${status}.`)
    this.status = status
    this.code = envelope?.error?.code ?? 'unknown'
    this.body = envelope
  }
}

/** No answer came: the server is down, restarting, or cannot be reached. */
class Unreachable extends Error {
  constructor() {
    super('The server does not answer.')
  }
}

/** An error as a person may read it. */
export function errorText(error: unknown): string {
  if (error instanceof Unreachable) return 'The server does not answer. Is it running?'
  return error instanceof Error ? error.message : String(error)
}

/** Beside the page's address, wherever a proxy has put it. */
const BASE = new URL('console/api/', document.baseURI)
const STORED = 'pullquote-console'
const TIMEOUT_MS = 30_000

/**
 * Half of the proof of who is signed in. The other half is a cookie, which scripts cannot read; this one is kept by the
 * page's origin, port included, where no other program of the host gets at it.
 */
export const token = {
  get: () => localStorage.getItem(STORED) ?? '',
  set: (value: string) => localStorage.setItem(STORED, value),
  forget: () => localStorage.removeItem(STORED),
}

/** Whether the browser lets the page keep anything: one that blocks cookies and site data refuses even to look. */
export function canKeep(): boolean {
  try {
    token.get()
    return true
  } catch {
    return false
  }
}

const listeners: { signedOut?: (message: string) => void; lost?: () => void; back?: () => void } = {}
/** Sets what is called when the session ends, and when the server goes away and comes back. */
export function listen(to: typeof listeners): void {
  Object.assign(listeners, to)
}

let lostAt = 0
function lose(): void {
  lostAt = performance.now()
  listeners.lost?.()
}

/** What was asked before the server went away and is answered after it says nothing of its return. */
function answered(askedAt: number): void {
  if (askedAt >= lostAt) listeners.back?.()
}

interface RequestOptions {
  /** Sent as JSON, or as it is when it is a file. */
  body?: unknown
  signal?: AbortSignal | undefined
  accept?: string
  /** 30 s by default; 0: as long as it takes. */
  timeoutMs?: number
}

/** @throws {ApiError | Unreachable}, and what an aborted signal throws */
export async function send(method: string, path: string, sending: RequestOptions = {}): Promise<Response> {
  const { body, signal, accept, timeoutMs = TIMEOUT_MS } = sending
  const isFile = body instanceof Blob
  const signals = [...(signal ? [signal] : []), ...(timeoutMs > 0 ? [AbortSignal.timeout(timeoutMs)] : [])]
  const askedAt = performance.now()
  let response: Response
  try {
    response = await fetch(new URL(path, BASE), {
      method,
      headers: {
        'x-pullquote-console': token.get(),
        ...(accept ? { accept } : {}),
        ...(body === undefined ? {} : { 'content-type': isFile ? 'application/octet-stream' : 'application/json' }),
      },
      credentials: 'same-origin',
      redirect: 'error',
      signal: firstOf(...signals),
      ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    lose()
    throw new Unreachable()
  }
  if (response.ok) {
    answered(askedAt)
    return response
  }
  const envelope = await response.json().catch(() => undefined)
  // A proxy that has no server behind it.
  if (response.status >= 502 && !envelope?.error) {
    lose()
    throw new Unreachable()
  }
  answered(askedAt)
  const refusal = new ApiError(response.status, envelope)
  if (refusal.status === 401) listeners.signedOut?.(refusal.message)
  throw refusal
}

/** The JSON of the answer. The server is of the same version as the page, so that its shapes are taken as they are. */
export async function call<T>(method: string, path: string, sending: RequestOptions = {}): Promise<T> {
  const response = await send(method, path, sending)
  return response.status === 204 ? (undefined as T) : response.json()
}
