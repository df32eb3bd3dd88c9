import type { ExplainedExcerpt } from '../../contract/explain.ts'
import { oneLine } from '../output/printable.ts'
import type { Terminal } from '../output/terminal.ts'
import { wrap } from '../output/wrap.ts'
import { prompt } from '../prompts/prompt.ts'
import { type Judgement, judgementKey, type MeasuredJudgement, measureExcerpt } from './floors.ts'

export type JudgementChoice = 'yes' | 'no' | 'skip' | 'next'

/** Who is asked. */
export interface JudgementPrompts {
  /** A text to search for; empty when there are no more. */
  query(): Promise<string>
  /** Whether the excerpt that was just shown fits the query. */
  fits(question: string): Promise<JudgementChoice>
  show(line: string): void
}

/**
 * Asks for queries and, for each, whether the reviews that come near it fit. A review that was judged for the same query
 * already is not asked about again.
 *
 * @param options.known judgements from before, by `judgementKey`
 * @param options.keep called with each judgement before the next question
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
    if (open.length === 0) judge.show(results.length === 0 ? 'Nothing comes near.' : 'All that comes near is judged.')
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

/** The judge at the terminal. */
export async function terminalPrompts(terminal: Terminal, signal: AbortSignal): Promise<JudgementPrompts> {
  const { input, select } = await import('@inquirer/prompts')
  // The first letter of an answer moves to it.
  const choices: { name: string; value: JudgementChoice }[] = [
    { name: 'yes', value: 'yes' },
    { name: 'no', value: 'no' },
    { name: 'cannot say', value: 'skip' },
    { name: 'enough of this query', value: 'next' },
  ]
  return {
    query: () =>
      prompt((context) => input({ message: 'What would a visitor search? (nothing: done)' }, context), signal),
    fits: (message) => prompt((context) => select({ message, choices }, context), signal),
    show: (line) => void process.stderr.write(`\n${wrap(line, Math.min(terminal.columns, 110), 2)}\n`),
  }
}
