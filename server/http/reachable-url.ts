import { networkInterfaces } from 'node:os'

/** Addresses of this machine. */
type Addresses = () => (string | undefined)[]

function ownAddresses(): (string | undefined)[] {
  return Object.values(networkInterfaces()).flatMap((addresses) => addresses?.map(({ address }) => address))
}

/**
 * `http://host:port` where a server is reached from its own machine. One that listens on `::` accepts IPv4 as well, and in
 * containers that is often all there is.
 */
export function reachableUrl(host: string, port: number, addresses: Addresses = ownAddresses): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`
  if (host === '::') return addresses().includes('::1') ? `http://[::1]:${port}` : `http://127.0.0.1:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
