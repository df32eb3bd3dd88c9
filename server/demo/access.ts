import { audienceOf, type ServerConfig } from '../config.ts'
import type { Audience } from '../http/loopback.ts'
import { DEMO_PROJECT } from './pages.ts'

export interface DemoSettings {
  access: Audience
  /** Name of the one project that the pages show: anybody who sees them can query it. */
  project: string
  /** Public address of the server, if known. */
  publicUrl?: string | undefined
}

/** Who may see the demo's pages, and of which project. @returns undefined when nobody may */
export function demoSettings(
  config: Pick<ServerConfig, 'demo' | 'demoProject' | 'host' | 'publicUrl'>,
): DemoSettings | undefined {
  const access = audienceOf(config.demo, config)
  return access && { access, project: config.demoProject ?? DEMO_PROJECT, publicUrl: config.publicUrl }
}
