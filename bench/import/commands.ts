import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** The built command, as a process of its own. */
export function commandsIn(env: NodeJS.ProcessEnv) {
  function start(args: readonly string[]): ChildProcess {
    const command = join(import.meta.dirname, '..', '..', 'bin', 'run.js')
    return spawn(process.execPath, [command, ...args], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  }
  /** What a command prints as JSON. @throws when it fails */
  async function outputOf(args: readonly string[]): Promise<string> {
    const child = start([...args, '--json'])
    let text = ''
    child.stdout?.on('data', (chunk) => {
      text += chunk
    })
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
    return text
  }
  return { start, outputOf }
}
