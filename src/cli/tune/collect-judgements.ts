import { existsSync } from 'node:fs'
import { pluralize } from '../../contract/counts.ts'
import type { ClientSession } from '../connection/session.ts'
import { interruptedError, isInterruption } from '../errors/failure.ts'
import type { Reporter } from '../output/reporter.ts'
import type { Terminal } from '../output/terminal.ts'
import { judgementKey, type MeasuredJudgement } from './floors.ts'
import { appendJudgement, readJudgements } from './judgement-file.ts'
import { promptForJudgements, terminalPrompts } from './questions.ts'

/** How far below the floor reviews are shown for judging. */
const ASK_FROM = 0.4
const ASK_PER_QUERY = 8

/**
 * Asks on the terminal; what the file of `--save` holds from before counts too.
 *
 * @throws {CliError} an interruption, with what is kept
 */
export async function collectJudgements(
  { client, settings }: ClientSession,
  save: string | undefined,
  context: { terminal: Terminal; signal: AbortSignal; reporter: Reporter },
): Promise<MeasuredJudgement[]> {
  const { terminal, signal, reporter } = context
  const before = save !== undefined && existsSync(save) ? await readJudgements(save, client, context) : []
  if (save === undefined) reporter.info('The answers are forgotten at the end; --save FILE keeps them.')
  else if (before.length > 0) reporter.info(`${save} holds ${judgements(before.length)}, which count too.`)
  let answers = 0
  try {
    const judged = await promptForJudgements({
      judge: await terminalPrompts(terminal, signal),
      known: before.map(judgementKey),
      nearest: async (q) =>
        (await client.explain({ q, floor: ASK_FROM, limit: ASK_PER_QUERY, mode: 'reviews' }, signal)).results,
      keep: async (one) => {
        if (save !== undefined) await appendJudgement(save, one)
        answers++
      },
    })
    return [...before, ...judged]
  } catch (error) {
    if (!isInterruption(error)) throw error
    if (before.length + answers === 0) throw interruptedError('interrupted; nothing was judged')
    if (save === undefined) {
      throw interruptedError(
        `interrupted; ${judgements(answers)} forgotten`,
        'give --save FILE to keep them the next time',
      )
    }
    throw interruptedError(
      `interrupted; ${save} holds ${judgements(before.length + answers)}`,
      'run the same command again to go on where it ended',
      `see what they say so far: pullquote projects tune ${settings.project} ${save}`,
    )
  }
}

function judgements(count: number): string {
  return pluralize(count, 'judgement')
}
