import { addAbortSignal } from 'node:stream'
import { text } from 'node:stream/consumers'
import { Cancelled } from '../client/errors.ts'
import { CliError, interruptedError, isInterruption, usageError } from './errors/cli-error.ts'

/** Whether somebody can be asked: questions are shown on stderr, since stdout is for data. */
export function isAtTerminal(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true
}

/** The streams and the signal of a question on the terminal. */
export interface PromptContext {
  output: NodeJS.WriteStream
  signal: AbortSignal
}

/**
 * Asks one of inquirer's questions. Ctrl-C, Ctrl-D and `signal` end it: inquirer itself (7.10) lets a question hang for
 * ever once Ctrl-D has closed its input.
 *
 * @param otherwise what is said when it was ended, such as `interrupted; nothing was deleted`
 * @throws {CliError} `interrupted`
 */
export async function prompt<T>(
  question: (context: PromptContext) => Promise<T>,
  signal: AbortSignal,
  otherwise = 'interrupted',
): Promise<T> {
  const closed = new AbortController()
  const onKey = (_text: string | undefined, key: { ctrl?: boolean; name?: string }) => {
    if (key.ctrl && key.name === 'd') closed.abort()
  }
  process.stdin.on('keypress', onKey)
  try {
    return await question({ output: process.stderr, signal: AbortSignal.any([signal, closed.signal]) })
  } catch (error) {
    throw isInterruption(error) ? interruptedError(otherwise) : error
  } finally {
    process.stdin.off('keypress', onKey)
  }
}

/** A question of yes or no; Enter alone is a no. Throws what {@link prompt} throws. */
export async function promptYesNo(message: string, signal: AbortSignal, otherwise?: string): Promise<boolean> {
  const { confirm } = await import('@inquirer/prompts')
  return prompt((context) => confirm({ message, default: false }, context), signal, otherwise)
}

export interface Confirmation {
  /** Given beforehand: nothing is asked. */
  given: boolean
  /** What must be typed to agree, where a "y" would be too easy. */
  typed?: string
  /** The message when there is no confirmation: `nothing was deleted`. */
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
  if (!isAtTerminal()) {
    throw usageError(`${otherwise}: there is no terminal to ask on whether it is meant`, 'give --yes')
  }
  const interrupted = `interrupted; ${otherwise}`
  const ask = async () => {
    if (typed === undefined) return promptYesNo(question, signal, interrupted)
    const { input } = await import('@inquirer/prompts')
    const message = `${question} Type ${typed} to agree:`
    return (await prompt((context) => input({ message }, context), signal, interrupted)).trim() === typed
  }
  if (!(await ask())) throw new CliError(otherwise, { code: 'declined' })
}

/**
 * Asks whether sentences that read as complaints may appear, where somebody sits at a terminal and no flag says it.
 *
 * @returns `undefined` where nobody can be asked: then the default stands
 */
export async function promptForExcerpts(signal: AbortSignal): Promise<'all' | 'no_complaints' | undefined> {
  if (!isAtTerminal()) return undefined
  const message = 'Leave out sentences that read as complaints, whatever the stars of their review?'
  return (await promptYesNo(message, signal, 'interrupted; the project is there, and complaints may appear'))
    ? 'no_complaints'
    : 'all'
}

/**
 * A key or a token from the pipe; on a terminal it is asked for without being shown.
 *
 * @param what `API key`
 * @throws {Cancelled | CliError} when `signal` fired; usage, when the pipe held nothing
 */
export async function readSecret(what: string, signal: AbortSignal): Promise<string> {
  if (process.stdin.isTTY) {
    const { password } = await import('@inquirer/prompts')
    return (await prompt((context) => password({ message: `${what}:`, mask: '*' }, context), signal)).trim()
  }
  const piped = await text(addAbortSignal(signal, process.stdin)).catch((error: unknown) => {
    throw signal.aborted ? new Cancelled() : error
  })
  const secret = piped.trim()
  if (secret === '') throw usageError(`standard input held no ${what}`, `pipe the ${what} into this command`)
  return secret
}
