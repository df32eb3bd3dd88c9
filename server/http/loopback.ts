import type { ServerRequest } from 'srvx'
import { isLoopback } from '../../src/contract/loopback.ts'

const HANDED_ON = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

/**
 * Whether the request was made to this machine by its own name, and not handed on by a proxy that says so. The name
 * counts, since any web page may have its own resolve to this machine. A proxy that sends its own name for the server
 * and no header of its own cannot be told from this machine: nothing that must not be public may hang on this alone.
 */
export function isLoopbackRequest({ url, headers }: Pick<ServerRequest, 'url' | 'headers'>): boolean {
  if (HANDED_ON.some((name) => headers.has(name))) return false
  return URL.canParse(url) && isLoopback(new URL(url).hostname)
}
