import { spawn } from 'node:child_process'

/**
 * Opens an address in the browser of who sits at this machine.
 *
 * @returns false where there is no screen to open it on, or no program that would
 */
export async function openBrowser(url: string, env: NodeJS.ProcessEnv, platform = process.platform): Promise<boolean> {
  if (platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY) return false
  // Without a shell, which could take a part of the address for a command of its own.
  const [program, ...args]: [string, ...string[]] =
    platform === 'darwin'
      ? ['open', url]
      : platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url]
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
