import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Fetch } from '../../client/fetch.ts'
import { createImportClient } from '../../client/imports.ts'
import { createOperator } from '../../client/operator.ts'
import { DEFAULT_RETRY } from '../../client/retry.ts'
import { withClient } from '../connection/session.ts'
import { importInput } from '../import/upload-input.ts'
import { type FolderWatch, watchFolder } from './watch-folder.ts'

/** What of a server in this process the watch talks to. */
export interface WatchedServer {
  url: string
  fetch: Fetch
  operatorToken: string
}

/** `serve --watch`: the folder's files go into the server of this process, with a key made for each of them. */
export async function watchForServer(
  folder: string,
  server: WatchedServer,
  options: { home: string; project: string | undefined; configDir: string; say: (line: string) => void },
): Promise<FolderWatch> {
  const dir = resolve(folder)
  await mkdir(dir, { recursive: true })
  const { fetch, operatorToken, url: baseUrl } = server
  const retry = DEFAULT_RETRY
  const session = {
    connection: {
      kind: 'local-server' as const,
      baseUrl,
      fetch,
      operatorToken,
      settled: async () => {},
      close: async () => {},
    },
    operator: createOperator({ fetch, baseUrl, operatorToken, retry }),
    retry,
  }
  const { home, project, configDir, say } = options
  const stop = new AbortController()
  const watching = watchFolder(dir, {
    configDir,
    log: say,
    importFile: (file, { env, options: chosen }, errorsPath) => {
      const settings = {
        home,
        notices: [],
        ...(project !== undefined && { project }),
        ...(env !== undefined && { env }),
      }
      return withClient({ ...session, settings }, ({ key }) =>
        importInput(file, {
          client: createImportClient({ fetch, baseUrl, key, retry }),
          options: chosen,
          dryRun: false,
          errorsPath,
          signal: stop.signal,
        }),
      )
    },
  })
  return {
    ...watching,
    close: () => {
      stop.abort()
      return watching.close()
    },
  }
}
