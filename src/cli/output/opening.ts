import { SILENCE_SECONDS } from '../../client/retry.ts'
import { formatDuration } from './format.ts'
import type { Progress, Reporter } from './terminal.ts'

const SLOW_LINE = `Still opening the database after ${formatDuration(SILENCE_SECONDS)}: it may be out of reach, or be changed for this version of Pullquote.`

export type Opening = Pick<Progress, 'stop'>

/** Says that the database is opened in this process: a spinner, and a line, without a terminal too, where that takes long. */
export function tellOpening(command: Reporter): Opening {
  const spinner = command.progress('Opening the database')
  const timer = setTimeout(() => {
    spinner.stop()
    command.writeStderr(SLOW_LINE)
  }, SILENCE_SECONDS * 1000)
  return {
    stop() {
      clearTimeout(timer)
      spinner.stop()
    },
  }
}
