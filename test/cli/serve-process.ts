import { existsSync } from 'node:fs'
import { copyTemplateInto } from '../database.ts'
import { dataFolderOf, runCli } from './run-cli.ts'

export interface ServeProcess {
  url: string
  /** Sends SIGTERM; resolves when the process has ended. */
  stop(): ReturnType<typeof runCli>
}

/**
 * Runs `serve` on a free port and resolves once it has printed its URL. A home without a database gets a copy of one.
 *
 * @throws when it ends before that, with its stderr
 */
export async function serve(
  home: string,
  options: { env?: Record<string, string>; onTalk?: (text: string) => void } = {},
): Promise<ServeProcess> {
  const folder = options.env?.PULLQUOTE_HOME ?? dataFolderOf(home)
  if (!options.env?.DATABASE_URL && !existsSync(folder)) await copyTemplateInto(folder)
  return new Promise((resolve, reject) => {
    let output = ''
    const ended = runCli(home, ['serve', '--port', '0', '--json'], {
      ...(options.env ? { env: options.env } : {}),
      onStart: (child) => {
        child.stderr.on('data', (chunk) => options.onTalk?.(String(chunk)))
        child.stdout.on('data', (chunk) => {
          output += chunk
          const url = /"url": "([^"]+)"/.exec(output)?.[1]
          const stop = () => {
            child.kill('SIGTERM')
            return ended
          }
          if (url) resolve({ url, stop })
        })
      },
    })
    ended.then(({ stderr }) => reject(new Error(`the server ended: ${stderr}`)), reject)
  })
}
