import { SILENCE_SECONDS } from '../../client/retry.ts'
import { formatDuration } from './format.ts'
import type { Progress, Reporter } from './terminal.ts'

const SLOW_LINE = `Still opening the database after ${formatDuration(SILENCE_SECONDS)}: another command may be using it, it may be unreachable, or it is being updated for this version of Pullquote.`

/** For a database that servers may share. */
export const UPDATED_LINE =
  'Note: the database was of an earlier version of Pullquote and is now of this one. A server of the earlier one goes on, but cannot start again: update it.'

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
