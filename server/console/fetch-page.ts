import { lookup } from 'node:dns'
import { get as getHttp, type IncomingMessage } from 'node:http'
import { get as getHttps } from 'node:https'
import { isIP, isIPv4, type LookupFunction } from 'node:net'
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import { parseUrl } from '../../src/contract/parse-url.ts'
import { decodePage, firstBytes, PAGE_HEADERS } from '../../src/web-page/page-bytes.ts'
import { addressSet } from '../http/client-address.ts'

/** Why a page could not be read, in words for the user. */
export class PageUnreadable extends Error {
  readonly code = 'page_unreadable'
}

const TIMEOUT_MS = 10_000
const MAX_BYTES = 2 * 1024 * 1024
const MAX_REDIRECTS = 4

/** Addresses outside the public network. */
const inside = addressSet([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4', '2001:db8::/32', '2002::/16', '2001::/32'],
])
/** The IPv6 range assigned to the public network. */
const outside6 = addressSet(['2000::/3'])

/** The ports of pages, as a URL object has them. */
const PAGE_PORTS = new Set(['', '80', '443'])

/**
 * Whether an address is outside the server's network. With IPv6 the machines beside this one have public addresses too, and
 * on this one's own, what listens on other ports than those of pages may be shielded from the outside only.
 */
export function isPublicAddress(address: string, port = '', interfaces = knownInterfaces()): boolean {
  if (isIP(address) === 0 || inside.has(address) || !(isIPv4(address) || outside6.has(address))) return false
  const own = Object.values(interfaces).flatMap((each) => each?.filter(({ internal }) => !internal) ?? [])
  if (own.some((one) => one.address === address)) return PAGE_PORTS.has(port)
  return !addressSet(own.map(networkOf)).has(address)
}

/** A service without netlink sockets (`RestrictAddressFamilies`) may not ask for them. */
function knownInterfaces(): ReturnType<typeof networkInterfaces> {
  try {
    return networkInterfaces()
  } catch {
    return {}
  }
}

/** The network of an address of this machine. A router may give out single IPv6 addresses; a network has at least 64 bits. */
function networkOf({ address, family, cidr }: NetworkInterfaceInfo): string {
  const bits = Number(cidr?.split('/')[1] ?? 128)
  return `${address}/${Math.min(bits, family === 'IPv4' ? 32 : 64)}`
}

/**
 * Fetches an HTML page, up to 2 MiB. The address is checked at connection time, so that a name cannot resolve to another
 * address than the one checked.
 * @param anywhere also addresses inside the server's network: for its operator, never for an owner
 * @returns `url`: where redirects led
 * @throws {PageUnreadable}
 */
export async function fetchPage(address: string, { anywhere }: { anywhere: boolean }) {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  let url = pageAddress(address)
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await request(url, anywhere, signal)
    const { statusCode = 0, headers } = response
    if (statusCode >= 300 && statusCode < 400 && headers.location) {
      response.destroy()
      url = pageAddress(headers.location, url)
      continue
    }
    const type = headers['content-type'] ?? ''
    if (statusCode !== 200 || !/html/i.test(type)) {
      response.destroy()
      throw new PageUnreadable(
        statusCode === 200 ? 'This is not an HTML page.' : `The page returned status ${statusCode}.`,
      )
    }
    const bytes = await firstBytes(response, MAX_BYTES).catch((error: unknown) => {
      throw unreadable(error, signal)
    })
    return { html: decodePage(bytes, type), url: url.href }
  }
  throw new PageUnreadable('The page redirects too many times.')
}

function pageAddress(address: string, base?: URL): URL {
  const url = parseUrl(address, base)
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return url
  throw new PageUnreadable('This is not the address of a page: it must start with https:// or http://.')
}

const NOT_PUBLIC = 'This address is inside the server’s own network. Only the operator can preview it.'

function request(url: URL, anywhere: boolean, signal: AbortSignal): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (!anywhere && isIP(host) !== 0 && !isPublicAddress(host, url.port)) throw new PageUnreadable(NOT_PUBLIC)
  const checked: LookupFunction = (name, options, done) => {
    lookup(name, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '', 0)
      const good = addresses.filter(({ address }) => anywhere || isPublicAddress(address, url.port))
      const [first] = good
      if (!first) return done(new PageUnreadable(NOT_PUBLIC), '', 0)
      if (options.all) done(null, good)
      else done(null, first.address, first.family)
    })
  }
  const get = url.protocol === 'https:' ? getHttps : getHttp
  return new Promise((resolve, reject) => {
    const sent = get(url, { lookup: checked, headers: PAGE_HEADERS, signal, agent: false }, resolve)
    sent.on('error', (error) => reject(unreadable(error, signal)))
  })
}

function unreadable(error: unknown, signal: AbortSignal): PageUnreadable {
  if (error instanceof PageUnreadable) return error
  if (signal.aborted) return new PageUnreadable(`The page did not answer within ${TIMEOUT_MS / 1000} seconds.`)
  // No details: the errors of an internal address would reveal what listens there.
  return new PageUnreadable('The page could not be reached.')
}
