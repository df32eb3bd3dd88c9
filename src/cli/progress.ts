import ora, { type Ora } from 'ora'

/** Says how far a long job is: a spinner on a terminal, a line now and then elsewhere, nothing when unwanted. */
export interface Progress {
  update(text: string): void
  /** Takes the spinner away; what is printed next stands on a clean line. */
  stop(): void
}

const PLAIN_LINE_EVERY_MS = 10_000

export function startProgress(options: { wanted: boolean; stream: NodeJS.WriteStream; text: string }): Progress {
  if (!options.wanted) return { update() {}, stop() {} }
  if (options.stream.isTTY) {
    // The terminal stays as it is (no raw mode), so that Ctrl-C reaches the command.
    const spinner: Ora = ora({ text: options.text, stream: options.stream, discardStdin: false }).start()
    return {
      update(text) {
        spinner.text = text
      },
      stop() {
        spinner.stop()
      },
    }
  }
  let last = Date.now()
  return {
    update(text) {
      if (Date.now() - last < PLAIN_LINE_EVERY_MS) return
      last = Date.now()
      options.stream.write(`${text}\n`)
    },
    stop() {},
  }
}
