import * as v from 'valibot'
import { fields } from './fields.ts'
import { CONSOLE_LINK_DAYS } from './limits.ts'
import { nextCursor } from './operator-list.ts'
import { count, instant, integerBetween } from './scalars.ts'

/** Console links in the operator's routes, which are this server's own, outside `/v1`. */

/** The body of `POST /operator/console-links`. */
export const createConsoleLinkBody = fields({
  project: v.optional(v.string()),
  days: v.optional(integerBetween(CONSOLE_LINK_DAYS)),
})

export const createdConsoleLink = v.object({
  id: v.string(),
  /** The project that it gives access to; null for the operator's link, which signs in once. */
  project: v.nullable(v.string()),
  /** Path and fragment; the fragment contains the secret, which is shown only here. */
  path: v.string(),
  /** The server's public address, when configured. */
  public_url: v.nullable(v.string()),
  expires_at: instant,
})

export const listedConsoleLink = v.object({
  id: v.string(),
  project: v.nullable(v.string()),
  created_at: instant,
  expires_at: instant,
  /** The latest sign-in. */
  used_at: v.nullable(instant),
  revoked_at: v.nullable(instant),
  /** Number of active sessions. */
  sessions: count,
})
export type ListedConsoleLink = v.InferOutput<typeof listedConsoleLink>

export const consoleLinksResponse = v.object({ links: v.array(listedConsoleLink), next_cursor: nextCursor })
