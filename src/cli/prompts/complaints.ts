import { interruptedError, isInterruption } from '../errors/failure.ts'
import { promptYesNo } from './prompt.ts'

/**
 * Asks whether sentences that read as complaints may appear, where somebody sits at a terminal and no flag says it.
 *
 * @returns `undefined` where nobody can be asked: then the default stands
 */
export async function promptForExcerpts(signal: AbortSignal): Promise<'all' | 'no_complaints' | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined
  const message = 'Leave out sentences that read as complaints, whatever the stars of their review?'
  try {
    return (await promptYesNo(message, signal)) ? 'no_complaints' : 'all'
  } catch (error) {
    if (isInterruption(error)) throw interruptedError('interrupted; no project was made')
    throw error
  }
}
