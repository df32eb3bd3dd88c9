import { ApiError } from '../../client/errors.ts'
import { ImporterError } from '../../importer/importer-error.ts'
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

/** Rejections of the file itself: a retry would end the same way. */
const FINAL_API_CODES = new Set(['validation_failed', 'payload_too_large', 'review_limit_reached'])
const FINAL_CLI_CODES = new Set(['bad_mapping', 'no_mapping'])

/** Whether an import failed because of the file itself. */
export function isFinal(error: unknown): boolean {
  if (error instanceof ImporterError || error instanceof SyntaxError) return true
  if (error instanceof ApiError) return FINAL_API_CODES.has(error.code)
  return error instanceof CliError && FINAL_CLI_CODES.has(error.code)
}
