import { PREFLIGHT_MAX_AGE_SECONDS } from '../../src/contract/limits.ts'
import type { Authenticated } from '../sql/access/key-lookups.ts'
import { ApiError } from './api-error.ts'

const EXPOSED = 'x-request-id, x-cache, ratelimit-policy, ratelimit-limit, retry-after'

/** Headers of every `/v1/query` response, before the key is known. */
export const queryCorsHeaders: Record<string, string> = {
  vary: 'Origin',
  'access-control-expose-headers': EXPOSED,
}

/** For what pages of any origin may load and read: the same for everyone, and no secret. */
export const ANY_ORIGIN = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' }

/** Headers of the preflight response. It cannot know the key and refuses nothing; the request itself does. */
export function preflightHeaders(origin: string | null): Record<string, string> {
  return {
    vary: 'Origin',
    ...echoed(origin),
    'access-control-allow-methods': 'GET, POST, OPTIONS',
    'access-control-allow-headers': 'authorization, content-type, cache-control, x-request-id',
    'access-control-max-age': String(PREFLIGHT_MAX_AGE_SECONDS),
  }
}

/**
 * Decides whether the origin may use the key (contract, "Authentication", rule 8) and returns the header that echoes it, if
 * any.
 * @throws {ApiError} `forbidden` for a publishable key whose project does not list the origin
 */
export function allowOrigin(origin: string | null, { kind, project }: Authenticated): Record<string, string> {
  if (kind === 'publishable') {
    if (origin === null) {
      throw new ApiError('forbidden', 'A publishable key works only from a web page: the request has no Origin header.')
    }
    if (!project.allowedOrigins.includes(origin)) {
      const shown = origin.length > 200 ? `${origin.slice(0, 200)}…` : origin
      const message = `The origin ${shown} is not among the project's allowed origins. Its operator can add it.`
      throw new ApiError('forbidden', message)
    }
  }
  return echoed(origin)
}

function echoed(origin: string | null): Record<string, string> {
  return origin === null ? {} : { 'access-control-allow-origin': origin }
}
