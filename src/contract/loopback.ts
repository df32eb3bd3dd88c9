import { parseUrl } from './parse-url.ts'

/**
 * Whether a host name or address is this machine: `localhost`, 127.0.0.0/8, ::1 (with or without brackets) and the
 * IPv4-mapped forms. Addresses are parsed as browsers do, so that `127.1` is loopback and `127.evil.example` a name.
 */
export function isLoopback(hostname: string): boolean {
  const host = hostname.includes(':') && !hostname.startsWith('[') ? `[${hostname}]` : hostname
  if (!/^(?:[\w.-]+|\[[\da-f:.]+\])$/i.test(host)) return false
  const canonical = parseUrl(`http://${host}/`)?.hostname ?? ''
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/.test(canonical)
}
