/** A server in a process of its own, which its parent starts with few file descriptors. Prints its address and its log. */
import { listen } from '../../server/http/listen.ts'
import { silent } from '../database.ts'

const print = (_: object, message: string) => console.log(message)
const server = await listen(() => new Response('ok'), {
  host: '127.0.0.1',
  port: 0,
  log: { ...silent, info: print, warn: print, error: print },
  docsUrl: () => '',
  timeouts: { check: 50 },
  // Else half of the descriptors.
  maxConnections: 1_000,
})
console.log(server.url)
