import * as v from 'valibot'

/** What the operator's routes for links to the console answer: this server's own, outside `/v1`. */

export const createdConsoleLink = v.object({
  id: v.string(),
  /** The one project that it is for; null for the operator's link, which signs in once. */
  project: v.nullable(v.string()),
  /** Path and fragment; the fragment holds the secret, which is shown this once. */
  path: v.string(),
  /** Where clients reach the server, when it was told. */
  public_url: v.nullable(v.string()),
  expires_at: v.string(),
})
export type CreatedConsoleLink = v.InferOutput<typeof createdConsoleLink>

export const consoleLink = v.object({
  id: v.string(),
  project: v.nullable(v.string()),
  created_at: v.string(),
  expires_at: v.string(),
  /** The latest sign-in. */
  used_at: v.nullable(v.string()),
  revoked_at: v.nullable(v.string()),
  /** How many are signed in by it now. */
  sessions: v.number(),
})
export type ListedConsoleLink = v.InferOutput<typeof consoleLink>

export const consoleLinks = v.object({ links: v.array(consoleLink) })
