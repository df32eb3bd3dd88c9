import type { Ora } from 'ora'
import { truncate } from './printable.ts'

/** Says how far a long job is: a spinner on a terminal, nothing elsewhere or when unwanted. */
export interface Progress {
  update(text: string): void
  /** Takes the spinner away; what is printed next stands on a clean line. */
  stop(): void
}

/** The spinner's sign, the space after it, and one that stays free. */
const SPINNER_COLUMNS = 3

export function startProgress(options: { wanted: boolean; stream: NodeJS.WriteStream; text: string }): Progress {
  if (!options.wanted || !options.stream.isTTY) return { update() {}, stop() {} }
  const { stream } = options
  // The terminal stays as it is (no raw mode), so that Ctrl-C reaches the command. A line that fills the window would break.
  const line = (text: string) => truncate(text, Math.max(20, (stream.columns || 80) - SPINNER_COLUMNS))
  let text = line(options.text)
  let spinner: Ora | undefined
  let stopped = false
  // Loaded when there is something to show: most commands are done before.
  void import('ora').then(({ default: ora }) => {
    if (!stopped) spinner = ora({ text, stream, discardStdin: false }).start()
  })
  return {
    update(now) {
      text = line(now)
      if (spinner) spinner.text = text
    },
    stop() {
      stopped = true
      spinner?.stop()
    },
  }
}
