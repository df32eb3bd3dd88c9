import type { ServerRequest } from 'srvx'
import { isLoopback } from '../../src/contract/loopback.ts'
import { parseUrl } from '../../src/contract/parse-url.ts'

/** Who may see pages: only a browser on the server's machine, as far as a request can tell, or everybody. */
export type Audience = 'loopback' | 'everyone'

const HANDED_ON = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

/**
 * Whether a request may see pages for this audience. To this machine it was made by its own name, and not handed on by a
 * proxy that says so. The name counts, since any web page may have its own resolve to this machine. A proxy that sends its
 * own name for the server and no header of its own cannot be distinguished from this machine: nothing that must not be public may
 * hang on this alone.
 */
export function isInAudience({ url, headers }: Pick<ServerRequest, 'url' | 'headers'>, audience: Audience): boolean {
  if (audience === 'everyone') return true
  return !HANDED_ON.some((name) => headers.has(name)) && isLoopback(parseUrl(url)?.hostname ?? '')
}
