import { isInterruption, usageError } from './failure.ts'
import { ask } from './prompt.ts'

/**
 * Asks before something is lost. Without a terminal there is nobody to ask, and `--yes` must have been given.
 *
 * @param typed what must be typed to agree, where a "y" would be too easy
 */
export async function confirmed(question: string, options: { yes: boolean; typed?: string }): Promise<boolean> {
  if (options.yes) return true
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw usageError('this command asks before it deletes, and there is no terminal to ask on', 'give --yes')
  }
  const { confirm, input } = await import('@inquirer/prompts')
  try {
    if (options.typed === undefined)
      return await ask((context) => confirm({ message: question, default: false }, context))
    const answer = await ask((context) => input({ message: `${question} Type ${options.typed} to agree:` }, context))
    return answer.trim() === options.typed
  } catch (error) {
    // Ctrl-C or the end of input while the question stands there is a no.
    if (isInterruption(error)) return false
    throw error
  }
}
