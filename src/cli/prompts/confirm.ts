import { CliError, interruptedError, isInterruption, usageError } from '../errors/failure.ts'
import { prompt, promptYesNo } from './prompt.ts'

export interface Confirmation {
  /** Given beforehand: nothing is asked. */
  given: boolean
  /** What must be typed to agree, where a "y" would be too easy. */
  typed?: string
  /** What is said when there is none: `nothing was deleted`. */
  otherwise: string
  signal: AbortSignal
}

/**
 * Asks before something is lost. Returns when the answer was yes; a script never goes on after anything else.
 *
 * @throws {CliError} a no: exit 1. Ctrl-C or Ctrl-D at the question: exit 130; SIGTERM: 143. No terminal to ask on: exit 2
 */
export async function requireConfirmation(question: string, options: Confirmation): Promise<void> {
  const { given, typed, otherwise, signal } = options
  if (given) return
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw usageError(`${otherwise}: there is no terminal to ask on whether it is meant`, 'give --yes')
  }
  let agreed: boolean
  try {
    if (typed === undefined) agreed = await promptYesNo(question, signal)
    else {
      const { input } = await import('@inquirer/prompts')
      const message = `${question} Type ${typed} to agree:`
      agreed = (await prompt((context) => input({ message }, context), signal)).trim() === typed
    }
  } catch (error) {
    if (isInterruption(error)) throw interruptedError(`interrupted; ${otherwise}`)
    throw error
  }
  if (!agreed) throw new CliError(otherwise, { code: 'declined' })
}
