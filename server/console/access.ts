import { audienceOf, type ServerConfig } from '../config.ts'
import type { Audience } from '../http/loopback.ts'

/** Who may see the console's sign-in page; everything behind it requires a link. */
export interface ConsoleSettings {
  access: Audience
  /** Public address of this server, if configured. */
  publicUrl?: string | undefined
}

/** @returns undefined when nobody may see it */
export function consoleSettings(
  config: Pick<ServerConfig, 'console' | 'host' | 'publicUrl'>,
): ConsoleSettings | undefined {
  const access = audienceOf(config.console, config)
  return access && { access, publicUrl: config.publicUrl }
}
