import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'

export type TrustedProxies = ReturnType<typeof addressSet>

/** Always trusted: anyone who can connect from this machine could do worse. */
const LOOPBACK = ['127.0.0.0/8', '::1']

/**
 * Addresses of proxies whose `X-Forwarded-For` is trusted.
 * @param list addresses and networks (`10.0.0.0/8`), as {@link isNetwork} accepts them
 */
export const trustedProxies = (list: readonly string[]): TrustedProxies => addressSet([...LOOPBACK, ...list])

export function addressSet(networks: readonly string[]) {
  const block = new BlockList()
  for (const entry of networks) {
    const [address = '', bits] = entry.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) block.addAddress(address, family)
    else block.addSubnet(address, Number(bits), family)
  }
  return { has: (address: string) => isIP(address) !== 0 && block.check(address, isIPv6(address) ? 'ipv6' : 'ipv4') }
}

/** An address, or a network as `address/bits`. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const most = isIPv4(address) ? 32 : isIPv6(address) ? 128 : -1
  return most > 0 && more.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
}

export type AddressedRequest = { ip?: string | undefined; headers: Headers }

export interface ClientAddress {
  /** The address to count by: an IPv4 address, or the /64 of an IPv6 one, which is usually one connection. */
  address?: string
  /** Why there is none, or why it may be a proxy's. */
  problem?: 'no address' | 'a proxy that is not trusted'
}

/**
 * The sender of a request: its peer or, behind a trusted proxy, the last address in `X-Forwarded-For` that is not a trusted
 * proxy. Anyone may have written those before it.
 */
export function clientAddress(request: AddressedRequest, proxies: TrustedProxies): ClientAddress {
  const peer = plain(request.ip ?? '')
  const forwarded = request.headers.get('x-forwarded-for')
  if (isIP(peer) === 0) return { problem: 'no address' }
  if (!proxies.has(peer)) {
    return { address: counted(peer), ...(forwarded === null ? {} : { problem: 'a proxy that is not trusted' }) }
  }
  const hops = (forwarded ?? '').split(',').map((hop) => plain(hop.trim()))
  const caller = hops.findLast((hop) => !proxies.has(hop))
  // Otherwise all visitors would count as one.
  return caller === undefined || isIP(caller) === 0 ? { problem: 'no address' } : { address: counted(caller) }
}

/** Removes a port, brackets, a zone and the prefix of an IPv4-mapped address. */
function plain(text: string): string {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(text)?.[1] ?? text
  return bare.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
}

function counted(address: string): string {
  if (isIPv4(address)) return address
  const [head = '', tail = ''] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  // A trailing IPv4 address stands for two groups.
  const length = groups.length + after.length + (address.includes('.') ? 1 : 0)
  const whole = [...groups, ...Array.from({ length: address.includes('::') ? 8 - length : 0 }, () => '0'), ...after]
  return `${whole
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
