import * as v from 'valibot'
import { fields } from './fields.ts'
import { CONSOLE_LINK_DAYS } from './limits.ts'
import { nextCursor } from './operator-list.ts'
import { count, instant, integerBetween } from './scalars.ts'

/** Links to the console, as the operator's routes take and answer them: this server's own, outside `/v1`. */

/** The body of `POST /operator/console-links`. */
export const createConsoleLinkBody = fields({
  project: v.optional(v.string()),
  days: v.optional(integerBetween(CONSOLE_LINK_DAYS)),
})

export const createdConsoleLink = v.object({
  id: v.string(),
  /** The one project that it is for; null for the operator's link, which signs in once. */
  project: v.nullable(v.string()),
  /** Path and fragment; the fragment holds the secret, which is shown this once. */
  path: v.string(),
  /** Where clients reach the server, when it is configured. */
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
  /** How many are signed in by it now. */
  sessions: count,
})
export type ListedConsoleLink = v.InferOutput<typeof listedConsoleLink>

export const consoleLinksResponse = v.object({ links: v.array(listedConsoleLink), next_cursor: nextCursor })
