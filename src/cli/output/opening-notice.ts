import { SILENCE_SECONDS } from '../../client/retry.ts'
import { formatDuration } from './format.ts'
import type { Progress, Reporter } from './terminal.ts'

const SLOW_LINE = `Still opening the database after ${formatDuration(SILENCE_SECONDS)}: it may be unreachable, or it is being updated for this version of Pullquote.`

export type OpeningNotice = Pick<Progress, 'stop'>

/** Shows that this process is opening the database: a spinner, and after a while a line, even without a terminal. */
export function showOpeningNotice(reporter: Reporter): OpeningNotice {
  const spinner = reporter.progress('Opening the database')
  const timer = setTimeout(() => {
    spinner.stop()
    reporter.writeStderr(SLOW_LINE)
  }, SILENCE_SECONDS * 1000)
  return {
    stop() {
      clearTimeout(timer)
      spinner.stop()
    },
  }
}
