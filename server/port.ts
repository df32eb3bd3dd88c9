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
