import { type ServerConfig, servesThisMachineOnly } from '../config.ts'
import type { Audience } from '../http/loopback.ts'
import { DEMO_PROJECT } from './pages.ts'

export interface DemoSettings {
  access: Audience
  /** Name of the one project that the pages show: anybody who sees them can query it. */
  project: string
  /** Where the server is for everybody, where that is known. */
  publicUrl?: string | undefined
}

/** Who may see the demo's pages, and of which project. `undefined`: nobody, since the server is open to others. */
export function demoSettings(
  config: Pick<ServerConfig, 'demo' | 'demoProject' | 'host' | 'publicUrl'>,
): DemoSettings | undefined {
  const { publicUrl } = config
  const project = config.demoProject ?? DEMO_PROJECT
  if (config.demo) return { access: 'everyone', project, publicUrl }
  return servesThisMachineOnly(config) ? { access: 'loopback', project } : undefined
}
