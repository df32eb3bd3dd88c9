import { audienceOf, type ServerConfig } from '../config.ts'
import type { Audience } from '../http/loopback.ts'

/** Who may see the console's sign-in page; what is behind it always needs a link. */
export interface ConsoleSettings {
  access: Audience
  /** Where clients reach this server, when it is configured. */
  publicUrl?: string | undefined
}

/** @returns `undefined` when nobody may see it */
export function consoleSettings(
  config: Pick<ServerConfig, 'console' | 'host' | 'publicUrl'>,
): ConsoleSettings | undefined {
  const access = audienceOf(config.console, config)
  return access && { access, publicUrl: config.publicUrl }
}
