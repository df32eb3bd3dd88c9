import { CliError, toCliError } from '../errors/cli-error.ts'

/** Why files wait, with a hint if the user must act. An unreachable server may come back by itself. */
export function reasonToWait(error: unknown): string {
  const { message, hints } = toCliError(error)
  return error instanceof CliError && hints[0] !== undefined ? `${message} (${hints[0]})` : message
}

/** Logged at start when nothing could be imported; otherwise only the first file would reveal it, perhaps days later. */
export function notReadyLine(error: unknown): string {
  return `Not ready; files are kept and tried again later: ${reasonToWait(error)}.`
}
