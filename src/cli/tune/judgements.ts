import { statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import * as v from 'valibot'
import type { Client } from '../../client/client.ts'
import { ignoreCodes } from '../../contract/code-of.ts'
import { pluralize } from '../../contract/counts.ts'
import type { ExplainedExcerpt } from '../../contract/explain.ts'
import type { ClientSession } from '../connection/session.ts'
import { CliError, interruptedError, isInterruption } from '../errors/cli-error.ts'
import { type Reporter, type Terminal, withProgress } from '../output/terminal.ts'
import { oneLine } from '../output/text.ts'
import { wrap } from '../output/wrap.ts'
import { prompt } from '../prompts.ts'
import { readRecordFile } from '../push/read-records.ts'
import { type Judgement, judgement, judgementKey, type MeasuredJudgement, measureExcerpt } from './floors.ts'

export type JudgementChoice = 'yes' | 'no' | 'skip' | 'next'

export interface JudgementPrompts {
  /** A query to judge; empty to finish. */
  query(): Promise<string>
  /** Whether the excerpt just shown fits the query. */
  fits(question: string): Promise<JudgementChoice>
  show(line: string): void
}

/**
 * Asks for queries and, for each, whether the nearest reviews fit. Reviews already judged for the query are skipped.
 *
 * @param options.known keys of earlier judgements (`judgementKey`)
 * @param options.keep saves each judgement before the next question
 */
export async function promptForJudgements(options: {
  judge: JudgementPrompts
  nearest: (query: string) => Promise<readonly ExplainedExcerpt[]>
  known: Iterable<string>
  keep: (judgement: Judgement) => Promise<void>
}): Promise<MeasuredJudgement[]> {
  const { judge, nearest, keep } = options
  const known = new Set(options.known)
  const judged: MeasuredJudgement[] = []
  for (;;) {
    const query = (await judge.query()).trim()
    if (query === '') return judged
    const results = await nearest(query)
    const open = results.filter(({ review_id }) => !known.has(judgementKey({ query, review: review_id })))
    if (open.length === 0)
      judge.show(
        results.length === 0 ? 'No review is close to this.' : 'You have judged all reviews that are close to this.',
      )
    for (const [i, result] of open.entries()) {
      judge.show(`“${oneLine(result.excerpt)}”`)
      const verdict = await judge.fits(`Does this fit “${oneLine(query)}”? (${i + 1} of ${open.length})`)
      if (verdict === 'next') break
      if (verdict === 'skip') continue
      const one: Judgement = { query, review: result.review_id, fits: verdict === 'yes' }
      await keep(one)
      known.add(judgementKey(one))
      judged.push({ ...one, excerpts: measureExcerpt(result) })
    }
  }
}

async function terminalPrompts(terminal: Terminal, signal: AbortSignal): Promise<JudgementPrompts> {
  const { input, select } = await import('@inquirer/prompts')
  // Labels differ in their first letters, which select them.
  const choices: { name: string; value: JudgementChoice }[] = [
    { name: 'yes', value: 'yes' },
    { name: 'no', value: 'no' },
    { name: 'not sure', value: 'skip' },
    { name: 'next query', value: 'next' },
  ]
  return {
    query: () =>
      prompt(
        (context) => input({ message: 'What would a visitor search for? (leave empty to finish)' }, context),
        signal,
      ),
    fits: (message) => prompt((context) => select({ message, choices }, context), signal),
    show: (line) => void process.stderr.write(`\n${wrap(line, Math.min(terminal.columns, 110), 2)}\n`),
  }
}

/** Reviews are shown for judging from this cosine on. */
const ASK_FROM = 0.4
const ASK_PER_QUERY = 8

/**
 * Collects judgements on the terminal, in addition to those already in the `--save` file.
 *
 * @throws {CliError} on interruption, saying what was kept
 */
export async function collectJudgements(
  { client, settings }: ClientSession,
  save: string | undefined,
  context: { terminal: Terminal; signal: AbortSignal; reporter: Reporter },
): Promise<MeasuredJudgement[]> {
  const { terminal, signal, reporter } = context
  const before =
    save !== undefined && (statSync(save, { throwIfNoEntry: false })?.size ?? 0) > 0
      ? await readJudgements(save, client, context)
      : []
  if (save === undefined) reporter.info('Your answers are not kept. To keep them, use --save FILE.')
  else if (before.length > 0) reporter.info(`${save} contains ${judgements(before.length)}, which count too.`)
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
      throw interruptedError(`interrupted; ${judgements(answers)} not kept`, 'to keep them next time, use --save FILE')
    }
    throw interruptedError(
      `interrupted; ${save} contains ${judgements(before.length + answers)}`,
      'run the same command again to continue',
      `see the result so far: pullquote projects tune ${settings.project} ${save}`,
    )
  }
}

function judgements(count: number): string {
  return pluralize(count, 'judgement')
}

const EXAMPLE = 'for example: {"query":"sea bass","review":"3f0c9a4e-…","fits":true}'

/**
 * Reads a judgements file and measures each judgement. A later line about the same query and review replaces an earlier
 * one; judgements of deleted reviews are skipped and reported.
 *
 * @throws {CliError} on an invalid line
 */
export async function readJudgements(
  file: string,
  client: Pick<Client, 'explain'>,
  { signal, reporter }: { signal: AbortSignal; reporter: Reporter },
): Promise<MeasuredJudgement[]> {
  const judged = new Map<string, MeasuredJudgement>()
  let gone = 0
  await withProgress(reporter, 'Reading the judged reviews', async (progress) => {
    for await (const record of readRecordFile(file, EXAMPLE)) {
      const checked = v.safeParse(judgement, record.ok ? record.value : undefined)
      if (!checked.success) {
        throw new CliError(`line ${record.line} of ${file} is not {"query","review","fits"}`, { hints: [EXAMPLE] })
      }
      const { query, review } = checked.output
      const explained = await client.explain({ q: query, review }, signal).catch(ignoreCodes('not_found'))
      if (!explained) {
        gone++
        continue
      }
      const excerpts = (explained.review?.excerpts ?? []).flatMap(measureExcerpt)
      judged.set(judgementKey(checked.output), { ...checked.output, excerpts })
      progress.update(`Reading the judged reviews: ${judged.size}`)
    }
  })
  if (gone > 0) {
    reporter.info(
      `${pluralize(gone, 'judgement')} left out: the review is not, or no longer, in this project and environment.`,
    )
  }
  return [...judged.values()]
}

/** Appends a judgement as a new line, even if the file's last line is unterminated. */
async function appendJudgement(file: string, judgement: Judgement): Promise<void> {
  const handle = await open(file, 'a+')
  try {
    const { size } = await handle.stat()
    const last = Buffer.from('\n')
    if (size > 0) await handle.read(last, 0, 1, size - 1)
    await handle.appendFile(`${last.toString() === '\n' ? '' : '\n'}${JSON.stringify(judgement)}\n`)
  } finally {
    await handle.close()
  }
}
