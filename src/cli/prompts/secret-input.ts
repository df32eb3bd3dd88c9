import { addAbortSignal } from 'node:stream'
import { Cancelled } from '../../client/errors.ts'
import { usageError } from '../errors/failure.ts'
import { prompt } from './prompt.ts'

/**
 * A key or a token from the pipe; on a terminal it is asked for without being shown.
 *
 * @param what `API key`
 * @throws {Cancelled} and what `ask` throws, when `signal` fired; {CliError} usage, when the pipe held nothing
 */
export async function readSecret(what: string, signal: AbortSignal): Promise<string> {
  if (process.stdin.isTTY) {
    const { password } = await import('@inquirer/prompts')
    return (await prompt((context) => password({ message: `${what}:`, mask: '*' }, context), signal)).trim()
  }
  const chunks: Buffer[] = []
  try {
    for await (const chunk of addAbortSignal(signal, process.stdin)) chunks.push(Buffer.from(chunk))
  } catch (error) {
    throw signal.aborted ? new Cancelled() : error
  }
  const secret = Buffer.concat(chunks).toString('utf8').trim()
  if (secret === '') throw usageError(`standard input held no ${what}`, `pipe the ${what} into this command`)
  return secret
}
