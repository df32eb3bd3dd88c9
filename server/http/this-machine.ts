import type { ServerRequest } from 'srvx'

const HANDED_ON = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

/**
 * Whether the request was made to this machine by its own name, and not handed on by a proxy, which would make it
 * anybody's. The name counts, since any web page may have its own resolve to this machine.
 */
export function isFromThisMachine({ url, headers }: Pick<ServerRequest, 'url' | 'headers'>): boolean {
  if (HANDED_ON.some((name) => headers.has(name))) return false
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)
}
