import type { OpenedDatabase } from '../../client/connect.ts'
import { SILENCE_SECONDS } from '../../client/retry.ts'
import { formatDuration } from './format.ts'
import type { Progress, Reporter } from './terminal.ts'

const SLOW_LINE = `Still opening the database after ${formatDuration(SILENCE_SECONDS)}: another command may be using it, it may be unreachable, or it is being updated for this version of Pullquote.`

/** For a database that servers may share. */
const UPDATED_LINE =
  'Note: the database was of an earlier version of Pullquote and is now of this one. A server of the earlier one goes on, but cannot start again: update it.'

/** What the user must know of a database that was opened for a command: it may not be the one that is meant. */
export function openedLines({ foundSchema, folder, otherServer }: OpenedDatabase): string[] {
  const lines: string[] = []
  if (foundSchema === 'none')
    lines.push(
      folder === undefined
        ? 'Note: the database at DATABASE_URL had no tables of Pullquote; they were created.'
        : `Note: there was no database in ${folder}; an empty one was created.`,
    )
  if (foundSchema === 'earlier' && folder === undefined) lines.push(UPDATED_LINE)
  if (otherServer !== undefined)
    lines.push(
      `Note: a Pullquote server runs at ${otherServer}, with other data. This command uses its own, in ${folder}. For that server's data, set PULLQUOTE_HOME to its folder, or give --url and a key.`,
    )
  return lines
}

export type OpeningNotice = Pick<Progress, 'stop'>

/** Shows that this process is opening the database: a spinner, and after a while a line, even without a terminal. */
export function showOpeningNotice(reporter: Reporter): OpeningNotice {
  const spinner = reporter.progress('Opening the database')
  const line = writeLineWhenSlow(reporter, spinner)
  return {
    stop() {
      line.stop()
      spinner.stop()
    },
  }
}

/** The line alone. @param spinner of the caller, which ends before the line is written */
export function writeLineWhenSlow(
  reporter: Pick<Reporter, 'writeStderr'>,
  spinner: Pick<Progress, 'stop'>,
): OpeningNotice {
  const timer = setTimeout(() => {
    spinner.stop()
    reporter.writeStderr(SLOW_LINE)
  }, SILENCE_SECONDS * 1000)
  return { stop: () => clearTimeout(timer) }
}
