import * as v from 'valibot'

/** In PULLQUOTE_HOME: the process that holds the folder and, once it serves, its URL, by which commands find it. */
export const SERVER_FILE = 'server.json'

export const serverFile = v.object({
  /** Identifies the lock: a file with another nonce belongs to another holder. */
  nonce: v.string(),
  pid: v.number(),
  /** Start time of the process in the platform's own format; null when it cannot be determined. */
  started: v.nullable(v.string()),
  /** Where the pid is valid: the host, its boot and its pid namespace. */
  scope: v.string(),
  /** Set only while the process serves; commands never set it. */
  url: v.optional(v.string()),
  operatorToken: v.optional(v.string()),
  /** Where visitors reach it, when it is configured (PULLQUOTE_PUBLIC_URL). */
  publicUrl: v.optional(v.string()),
  /** Inode of the folder, by which a copy of it is known. */
  folder: v.optional(v.string()),
  /** SHA-256 of its database URL; of an empty string for the embedded database. */
  database: v.optional(v.string()),
})
export type ServerFile = v.InferOutput<typeof serverFile>

/** The scope of a process on `host`: Linux's boot id and pid namespace, both empty on other systems. */
export function processScope(host: string, bootId: string, namespace: string): string {
  return [host, bootId.trim(), namespace].join(' ')
}

/** How long a process waits for a command that has the embedded database open, and how often it polls. */
export const HOME_WAIT_MS = 30_000
/** How long it waits for several, one after another: of eight that import without end, each has a turn in that time. */
export const HOME_WAITS_MS = 60 * HOME_WAIT_MS
export const HOME_POLL_MS = 250
