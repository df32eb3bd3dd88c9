import type { ServerRequest } from 'srvx'

/**
 * The request target as sent, without decoding or resolving dot segments. `search` is empty or begins with its question mark.
 * Over a socket it comes from the request line, since a URL object would already have resolved dot segments.
 */
export function requestTarget(request: ServerRequest): { path: string; search: string } {
  const line = request.runtime?.node?.req.url
  if (line !== undefined && !/^https?:\/\//i.test(line)) {
    const mark = line.indexOf('?')
    return mark < 0 ? { path: line, search: '' } : { path: line.slice(0, mark), search: line.slice(mark) }
  }
  const url = new URL(line ?? request.url)
  return { path: url.pathname, search: url.search }
}

// What a path segment may contain unencoded (RFC 3986, section 3.3). No route needs an escape.
const PLAIN_PATH = /^(?:\/[A-Za-z0-9\-._~!$&'()*+,;=:@]+)+$/
const DOT_SEGMENT = /\/\.{1,2}(?:\/|$)/

/** Whether the path can be a route: no escape, no empty or dot segment and no trailing slash. */
export function isPlainPath(path: string): boolean {
  return PLAIN_PATH.test(path) && !DOT_SEGMENT.test(path)
}
