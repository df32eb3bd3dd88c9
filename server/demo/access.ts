import { type ServerConfig, servesThisMachineOnly } from '../config.ts'
import type { DemoSettings } from '../routes/pages/demo.ts'
import { DEMO_PROJECT } from './pages.ts'

/** Who may see the demo's pages, and of which project. `undefined`: nobody, since the server is open to others. */
export function demoSettings(
  config: Pick<ServerConfig, 'demo' | 'demoProject' | 'host' | 'publicUrl'>,
): DemoSettings | undefined {
  const { publicUrl } = config
  const project = config.demoProject ?? DEMO_PROJECT
  if (config.demo) return { access: 'everyone', project, publicUrl }
  return servesThisMachineOnly(config) ? { access: 'loopback', project } : undefined
}
