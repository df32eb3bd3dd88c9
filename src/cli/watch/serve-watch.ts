import { connectionTo } from '../../client/connect.ts'
import type { Fetch } from '../../client/fetch.ts'
import type { Environment } from '../../contract/review.ts'
import { createSession, requireOperator, withClient } from '../connection/session.ts'
import { importInput } from '../import/upload.ts'
import { chooseProject } from '../projects.ts'
import { notReadyLine } from './not-ready.ts'
import { FolderWatch } from './watch-folder.ts'

/** `serve --watch`: imports the folder's files into the server of this process. @param dir from `openWatchedFolder` */
export function watchForServer(
  dir: string,
  server: { url: string; fetch: Fetch; operatorToken: string },
  options: { home: string; project: string | undefined; configDir: string; log: (line: string) => void },
): Pick<FolderWatch, 'close'> {
  const connection = connectionTo('local-server', server)
  const { home, project, configDir, log } = options
  const stop = new AbortController()
  const sessionFor = (env?: Environment) =>
    createSession(connection, { home, notices: [], project, env }, { signal: stop.signal })
  // Not awaited: when the database has just gone away, this retries for a minute.
  chooseProject(requireOperator(sessionFor()), project).catch((error: unknown) => {
    if (!stop.signal.aborted) log(notReadyLine(error))
  })
  const watching = new FolderWatch(dir, {
    configDir,
    log,
    importFile: (file, { env, options: chosen = {} }, errorsPath) =>
      withClient(sessionFor(env), ({ client }) =>
        importInput(file, { client, options: chosen, dryRun: false, errorsPath, signal: stop.signal }),
      ),
  })
  return {
    close: () => {
      stop.abort()
      return watching.close()
    },
  }
}
