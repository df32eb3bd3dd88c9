import * as v from 'valibot'

/** In PULLQUOTE_HOME: who holds the folder and, once it serves, where it answers. Commands find the server by it. */
export const SERVER_FILE = 'server.json'

export const serverFile = v.object({
  /** Identifies the lock: a file with another nonce belongs to another holder. */
  nonce: v.string(),
  pid: v.number(),
  /** When the process began, in the platform's own words; null where it cannot be determined. */
  started: v.nullable(v.string()),
  /** Where the process number means anything: the host, its boot and its process namespace. */
  scope: v.string(),
  /** Set only while the process serves; a command never does. */
  url: v.optional(v.string()),
  operatorToken: v.optional(v.string()),
  /** SHA-256 of the address of its database, of nothing for the embedded one. */
  database: v.optional(v.string()),
})
export type ServerFile = v.InferOutput<typeof serverFile>

/** The scope of a process on `host`, by Linux's id of this boot and its name for the process's namespace; elsewhere both are empty. */
export function processScope(host: string, bootId: string, namespace: string): string {
  return [host, bootId.trim(), namespace].join(' ')
}

/** How long a process waits for a command that has the embedded database open, and how often it looks. */
export const HOME_WAIT_MS = 30_000
export const HOME_POLL_MS = 250
