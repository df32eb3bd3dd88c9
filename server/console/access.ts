import { type ServerConfig, servesThisMachineOnly } from '../config.ts'
import type { Audience } from '../http/loopback.ts'

/** Who may see the console's sign-in page; what is behind it always needs a link. */
export interface ConsoleSettings {
  access: Audience
  /** Where clients reach this server, when it is configured. */
  publicUrl?: string
}

/** `undefined`: nobody, since the server is open to others and `--console` was not given. */
export function consoleSettings(
  config: Pick<ServerConfig, 'console' | 'host' | 'publicUrl'>,
): ConsoleSettings | undefined {
  const { publicUrl } = config
  if (config.console) return { access: 'everyone', ...(publicUrl === undefined ? {} : { publicUrl }) }
  return servesThisMachineOnly(config) ? { access: 'loopback' } : undefined
}
