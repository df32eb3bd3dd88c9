import { once } from 'node:events'
import { createServer } from 'node:net'
import { CodedError, codeOf } from '../src/contract/code-of.ts'
import type { ServerConfig } from './config.ts'
import { acquireHome, HomeInUse } from './db/home/home-lock.ts'

/**
 * Fails early when the port is taken: creating a database in vain takes seconds. If the home is taken too, that error says
 * more, since it identifies the server.
 */
export async function checkPort(config: ServerConfig): Promise<void> {
  if (config.port === 0) return
  const probe = createServer()
  try {
    probe.listen(config.port, config.host)
    await once(probe, 'listening')
  } catch (error) {
    const lock = await acquireHome(config.home).catch((held: unknown) => {
      // A command closes it soon, after which the port would still be taken.
      if (held instanceof HomeInUse && held.holder.url !== undefined) throw held
    })
    await lock?.release()
    throw explainListenError(error, config)
  } finally {
    probe.close()
  }
}

/** The address to listen on is in use, not local or forbidden. */
export class ListenFailed extends CodedError<'listen_failed'> {}

export function explainListenError(error: unknown, { host, port }: ServerConfig): unknown {
  const code = codeOf(error)
  const reasons: Record<string, string> = {
    EADDRINUSE:
      'another program is using this port, perhaps a Pullquote with another data folder, such as npm run demo',
    EACCES: 'this user may not listen on this port',
    EADDRNOTAVAIL: 'this machine has no such address',
    EAFNOSUPPORT: 'this machine has no IPv6',
    ENOTFOUND: 'this host name does not exist',
  }
  const reason = code && reasons[code]
  if (reason === undefined) return error
  const message = `Cannot listen on ${host}, port ${port}: ${reason}. Choose another with --host and --port, or PULLQUOTE_HOST and PULLQUOTE_PORT.`
  return new ListenFailed('listen_failed', message, { cause: error })
}

/** A warning when the platform sets PORT, which is not read. */
export function portWarning({ host, port, unreadPort }: ServerConfig): string | undefined {
  if (unreadPort === undefined) return undefined
  return `PORT=${unreadPort} is set but not used: the server listens on ${host}, port ${port}. If your hosting platform expects that port, run: pullquote serve --host 0.0.0.0 --port "$PORT"`
}

/** The Fetch standard's "bad ports", of other protocols: browsers, and `fetch` here, send no request to them. */
const REFUSED_PORTS = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])

/** A warning when clients would address the server at a port to which they send nothing. */
export function refusedPortWarning({
  publicUrl,
  port,
}: Pick<ServerConfig, 'publicUrl' | 'port'>): { message: string; hint: string } | undefined {
  const used = publicUrl === undefined ? port : Number(new URL(publicUrl).port)
  if (!REFUSED_PORTS.has(used)) return undefined
  return {
    message: `browsers and most clients send no request to port ${used}, so that no page shows reviews`,
    hint: `choose another with ${publicUrl === undefined ? '--port or PULLQUOTE_PORT' : 'PULLQUOTE_PUBLIC_URL'}`,
  }
}
