import { createHash, randomBytes } from 'node:crypto'
import type { ServerRequest } from 'srvx'
import type { Pool } from '../deps.ts'
import { ApiError } from '../http/api-error.ts'
import { hashKey } from '../http/api-key.ts'
import { isInAudience } from '../http/loopback.ts'
import { withDatabaseTimeout } from '../http/time-limits.ts'
import { type ConsoleSession, consoleSession, SESSION_SECONDS, signIn } from '../sql/access/console-sessions.ts'
import type { ConsoleSettings } from './access.ts'

/**
 * Authenticates with two secrets. Scripts cannot read the cookie, but a browser sends it to every port of the host, where
 * another program may listen; the token is stored by the page's origin, which includes the port. One is useless without the
 * other. A request that changes something must also come from a page of this very origin.
 */
export type SignIn = ReturnType<typeof createSignIn>

const TOKEN_HEADER = 'x-pullquote-console'
const SECRET = /^[\w-]{43}$/
/** Each one is looked up. */
const MOST_COOKIES = 8

export function createSignIn(deps: {
  sql: Pool
  settings: ConsoleSettings
  /** The installation's own: distinguishes the cookies of two installations on one host. */
  secret: Uint8Array
}) {
  const { sql, settings } = deps
  const name = `pullquote-console-${createHash('sha256').update('console').update(deps.secret).digest('hex').slice(0, 8)}`
  const publicUrl = settings.publicUrl === undefined ? undefined : new URL(settings.publicUrl)
  const path = `${publicUrl?.pathname.replace(/\/+$/, '') ?? ''}/console`
  const setCookie = (request: ServerRequest, value: string, seconds: number) =>
    `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure(request) ? '; Secure' : ''}`
  const signInAgain = (message: string, how = 'Open your link again. For') =>
    new ApiError('unauthorized', `${message} ${how} a new link, ask whoever runs the server to run: pullquote console`)

  /** Whether the console exists for this request. @throws {ApiError} `not_found` */
  function requireAccess(request: ServerRequest): void {
    if (isInAudience(request, settings.access)) return
    const hint =
      'The console only opens in a browser on the server’s own machine. Start the server with --console to open it to others.'
    throw new ApiError('not_found', hint)
  }

  /** To a browser another port of this host is the same site; here it is another origin. */
  function requireOwnPage(request: ServerRequest): void {
    const { headers, method } = request
    const site = headers.get('sec-fetch-site')
    const isForeign = site !== null && site !== 'same-origin' && site !== 'none'
    const origin = headers.get('origin')
    const host = headers.get('host') ?? new URL(request.url).host
    // A proxy that terminates TLS forwards http.
    const origins = [`http://${host}`, `https://${host}`, publicUrl?.origin]
    const isOwn = origin === null ? method === 'GET' : origins.includes(origin)
    if (isOwn && !isForeign) return
    const here = `The console only accepts requests from its own page, and this one is at ${origin ?? 'an unknown address'}.`
    const help = 'If that is this server: set PULLQUOTE_PUBLIC_URL to it, or let the proxy pass on Host with its port.'
    throw new ApiError('forbidden', `${here} ${help}`)
  }

  return {
    requireAccess,
    /** @throws {ApiError} `not_found`, `unauthorized`, `forbidden`, `service_unavailable` */
    async authenticate(request: ServerRequest): Promise<ConsoleSession> {
      requireAccess(request)
      requireOwnPage(request)
      const cookies = cookiesOf(request.headers.get('cookie'), name)
      const token = request.headers.get(TOKEN_HEADER)
      if (!token || !SECRET.test(token) || cookies.length === 0) throw signInAgain('You are not signed in.')
      for (const cookie of cookies.slice(0, MOST_COOKIES)) {
        const hashes = { cookie: hashKey(cookie), page: hashKey(token) }
        const session = await withDatabaseTimeout(() => consoleSession(sql, hashes))
        if (session) return session
      }
      throw signInAgain('Your session has ended: it expired, or the link was revoked.')
    },
    /** Signs in with a link. @throws {ApiError} as `authenticate` */
    async signIn(request: ServerRequest, linkToken: string) {
      requireAccess(request)
      requireOwnPage(request)
      const [cookie, token] = [newSecret(), newSecret()]
      const hashes = { token: hashKey(linkToken), cookie: hashKey(cookie), page: hashKey(token) }
      const session = SECRET.test(linkToken) ? await withDatabaseTimeout(() => signIn(sql, hashes)) : undefined
      if (!session)
        throw signInAgain('This link no longer works: it was already used, has expired or was revoked.', 'For')
      // The database ends the session; a cookie that outlives it is useless.
      return { session, cookie: setCookie(request, cookie, SESSION_SECONDS), token }
    },
    clearCookie: (request: ServerRequest) => setCookie(request, '', 0),
  }
}

/** 256 bits. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

function isSecure(request: ServerRequest): boolean {
  return request.headers.get('origin')?.startsWith('https:') ?? false
}

/** There are several when a program on another port of the host sets its own, which a browser may send first. */
function cookiesOf(header: string | null, name: string): string[] {
  const pairs = header?.split(';').map((each) => each.trim()) ?? []
  const values = pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1))
  return values.filter((value) => SECRET.test(value))
}
