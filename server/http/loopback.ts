import type { ServerRequest } from 'srvx'
import { isLoopback } from '../../src/contract/loopback.ts'

/** Who may see pages: only a browser on the server's machine, as far as a request can tell, or everybody. */
export type Audience = 'loopback' | 'everyone'

const HANDED_ON = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

/**
 * Whether the request was made to this machine by its own name, and not handed on by a proxy that says so. The name
 * counts, since any web page may have its own resolve to this machine. A proxy that sends its own name for the server
 * and no header of its own cannot be told from this machine: nothing that must not be public may hang on this alone.
 */
function isLoopbackRequest({ url, headers }: Pick<ServerRequest, 'url' | 'headers'>): boolean {
  if (HANDED_ON.some((name) => headers.has(name))) return false
  return URL.canParse(url) && isLoopback(new URL(url).hostname)
}

export function isInAudience(request: Pick<ServerRequest, 'url' | 'headers'>, audience: Audience): boolean {
  return audience === 'everyone' || isLoopbackRequest(request)
}
