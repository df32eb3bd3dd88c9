import { mkdir, realpath } from 'node:fs/promises'
import { connectionTo } from '../../client/connect.ts'
import type { Fetch } from '../../client/fetch.ts'
import { createSession, withClient } from '../connection/session.ts'
import { importInput } from '../import/upload.ts'
import { type FolderWatch, watchFolder } from './watch-folder.ts'

/** `serve --watch`: the folder's files go into the server of this process. */
export async function watchForServer(
  folder: string,
  server: { url: string; fetch: Fetch; operatorToken: string },
  options: { home: string; project: string | undefined; configDir: string; log: (line: string) => void },
): Promise<FolderWatch> {
  await mkdir(folder, { recursive: true })
  const dir = await realpath(folder)
  const connection = connectionTo('local-server', server)
  const { home, project, configDir, log } = options
  const stop = new AbortController()
  const watching = watchFolder(dir, {
    configDir,
    log,
    importFile: (file, { env, options: chosen = {} }, errorsPath) =>
      withClient(createSession(connection, { home, notices: [], project, env }), ({ client }) =>
        importInput(file, { client, options: chosen, dryRun: false, errorsPath, signal: stop.signal }),
      ),
  })
  return {
    ...watching,
    close: () => {
      stop.abort()
      return watching.close()
    },
  }
}
