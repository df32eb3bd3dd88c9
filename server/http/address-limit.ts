import { createHmac } from 'node:crypto'
import { PLAN_LIMITS, RATE_WINDOW_SECONDS } from '../../src/contract/limits.ts'
import type { Log, Sql } from '../deps.ts'
import { recentlyUsed } from '../recently-used.ts'
import { countAddress, deleteEndedWindows } from '../sql/access/address-windows.ts'
import { ApiError } from './api-error.ts'
import type { PresentedKey } from './auth.ts'
import { type AddressedRequest, clientAddress, type TrustedProxies } from './client-address.ts'

export type AddressLimit = ReturnType<typeof createAddressLimit>

const HINTS = {
  'no address':
    'a visitor was not counted by address: the proxy sent no X-Forwarded-For, or one that names only proxies or this machine. If it does so for all, PULLQUOTE_ADDRESS_SHARE has no effect',
  'a proxy that is not trusted':
    'requests with X-Forwarded-For come from an address that is not in PULLQUOTE_TRUSTED_PROXIES: they are counted as one visitor',
}

/**
 * Implements `PULLQUOTE_ADDRESS_SHARE`.
 * @param deps.share percent of a key's requests that one address may use
 * @param deps.secret the same on every server of the installation: addresses are stored as hashes keyed with it
 */
export function createAddressLimit(deps: {
  sql: Sql
  log: Log
  share: number
  proxies: TrustedProxies
  secret: Uint8Array
}) {
  const { sql, log, share, proxies, secret } = deps
  const warned = new Set<string>()
  const timer = setInterval(() => {
    deleteEndedWindows(sql).catch((error) =>
      log.debug({ error: String(error) }, 'counts of addresses were not removed'),
    )
  }, RATE_WINDOW_SECONDS * 1000).unref()
  return {
    /**
     * Counts a request with a publishable key towards its client address. @returns an error when that address has used its
     * share of the key's window; such a request does not count towards the key, so that others have the rest
     */
    async count(request: AddressedRequest, key: PresentedKey): Promise<ApiError | undefined> {
      const { address, problem } = clientAddress(request, proxies)
      if (problem && !warned.has(problem)) {
        warned.add(problem)
        log.warn({ reason: problem }, HINTS[problem])
      }
      if (address === undefined) return undefined
      const hash = createHmac('sha256', secret).update(`address ${address}`).digest().subarray(0, 16)
      const use = await countAddress(sql, key.hash, hash)
      if (!use) return undefined
      const most = Math.max(1, Math.floor((PLAN_LIMITS[use.plan].requestsPerWindow.publishable * share) / 100))
      if (use.requests <= most) return undefined
      const message = `One address may send ${most} requests in ${RATE_WINDOW_SECONDS} seconds with this key. Try again when the window ends.`
      return new ApiError('rate_limited', message, { retryAfterSeconds: use.windowEndsInSeconds })
    },
    stop: () => clearInterval(timer),
  }
}

export type NoteLimit = ReturnType<typeof createNoteLimit>

/** As many as the queries of a paid key: a page needs one per query. */
const NOTES = PLAN_LIMITS.paid.requestsPerWindow.publishable
/** Beyond this many addresses, the one that asked longest ago starts over. */
const REMEMBERED = 10_000

/**
 * Limits what one address may request from `/snippet/note` with one key. These requests do not count towards the key:
 * otherwise visitors could use up the notes and leave others without reviews. Counted only in this process, before the
 * database is asked. Visitors behind a proxy that does not identify them are one address, so its limit is as large as what
 * they may query together.
 */
export function createNoteLimit({ proxies, clock }: { proxies: TrustedProxies; clock: () => Date }) {
  const windows = recentlyUsed<{ endsAt: number; requests: number }>(REMEMBERED)
  return {
    /** @returns an error when the address has used up its notes */
    count(request: { ip?: string | undefined; headers: Headers }, key: string): ApiError | undefined {
      const { address } = clientAddress(request, proxies)
      if (address === undefined) return undefined
      const now = clock().getTime()
      const name = `${address} ${key}`
      const known = windows.get(name)
      const window = known && known.endsAt > now ? known : { endsAt: now + RATE_WINDOW_SECONDS * 1000, requests: 0 }
      window.requests++
      windows.set(name, window)
      if (window.requests <= NOTES) return undefined
      return new ApiError(
        'rate_limited',
        `One address may ask ${NOTES} times in ${RATE_WINDOW_SECONDS} seconds which reviews a key shows. Try again when the window ends.`,
        { retryAfterSeconds: Math.ceil((window.endsAt - now) / 1000) },
      )
    },
  }
}
