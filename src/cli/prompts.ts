import { addAbortSignal } from 'node:stream'
import { text } from 'node:stream/consumers'
import { Cancelled } from '../client/errors.ts'
import { CliError, interruptedError, isInterruption, usageError } from './errors/cli-error.ts'

/** Whether the user can be asked: questions are shown on stderr, since stdout is for data. */
export function isAtTerminal(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true
}

/** The second argument of inquirer's questions. */
export interface PromptContext {
  output: NodeJS.WriteStream
  signal: AbortSignal
}

/**
 * Asks one of inquirer's questions. Ctrl-C, Ctrl-D and `signal` end it: inquirer itself (7.10) hangs once Ctrl-D has
 * closed its input.
 *
 * @param otherwise the error message on interruption, such as `interrupted; nothing was deleted`
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

/** A yes-or-no question; Enter alone means no. Throws like {@link prompt}. */
export async function promptYesNo(message: string, signal: AbortSignal, otherwise?: string): Promise<boolean> {
  const { confirm } = await import('@inquirer/prompts')
  return prompt((context) => confirm({ message, default: false }, context), signal, otherwise)
}

export interface Confirmation {
  /** Confirmed beforehand (`--yes`): nothing is asked. */
  given: boolean
  /** Text that must be typed to agree, when "y" would be too easy. */
  typed?: string
  /** The message without a confirmation: `nothing was deleted`. */
  otherwise: string
  signal: AbortSignal
}

/**
 * Asks before something is lost, and returns only if the answer is yes.
 *
 * @throws {CliError} with exit code 1 for no, 130 for Ctrl-C or Ctrl-D, 143 for SIGTERM, 2 without a terminal to ask on
 */
export async function requireConfirmation(question: string, options: Confirmation): Promise<void> {
  const { given, typed, otherwise, signal } = options
  if (given) return
  if (!isAtTerminal()) {
    throw usageError(`${otherwise}: this needs confirmation, and there is no terminal to ask on`, 'confirm with --yes')
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
 * Asks on a terminal whether sentences that read as complaints may appear.
 *
 * @returns undefined when nobody can be asked: then the default applies
 */
export async function promptForExcerpts(signal: AbortSignal): Promise<'all' | 'no_complaints' | undefined> {
  if (!isAtTerminal()) return undefined
  const message = 'Leave out sentences that read as complaints, whatever the stars of their review?'
  return (await promptYesNo(message, signal, 'interrupted; the project is there, and complaints may appear'))
    ? 'no_complaints'
    : 'all'
}

/**
 * Reads a key or token from standard input; on a terminal it is prompted for and masked.
 *
 * @param what its name for messages, such as `API key`
 * @throws {Cancelled | CliError} when `signal` is aborted; usage, when standard input is empty
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
  if (secret === '') throw usageError(`there was no ${what} on standard input`, `pipe the ${what} into this command`)
  return secret
}
