import type { ExplainedExcerpt, Explanation } from '../../src/contract/explain.ts'
import { call, errorText } from '../api.ts'
import type { Context } from '../context.ts'
import { announce, dialog, el } from '../dom.ts'

/** Asks why a review does not appear for a query and shows it, like `pullquote query --explain`. */
export async function explain({ ofEnv, signal }: Context, review: string, q: string): Promise<void> {
  try {
    const why = await call<Explanation>('POST', ofEnv('explain'), { body: { review, q }, signal })
    explanationDialog(why, q)
  } catch (error) {
    if (!signal.aborted) announce(errorText(error))
  }
}

function explanationDialog({ review, floor, word_tier }: Explanation, q: string): void {
  if (!review) return
  const reasons = review.removed_by.map(({ message }) => el('li', message))
  dialog(
    'Why it does not appear',
    el('p', 'Searched for: ', el('b', { dir: 'auto' }, q)),
    reasons.length > 0 ? el('ul', ...reasons) : el('p', 'It does appear, but further down than the cards shown here.'),
    el('h3', 'Its excerpts, closest first'),
    el(
      'p',
      { class: 'soft' },
      `The floor is ${floor}; ${word_tier} is enough for an excerpt with half of the query’s words.`,
    ),
    el('ul', { class: 'near plain-list', role: 'list' }, ...review.excerpts.map(explainedRow)),
  )
}

function explainedRow({ excerpt, cosine, coverage, hidden, complaint }: ExplainedExcerpt): HTMLElement {
  const facts = [cosine?.toFixed(3) ?? 'not indexed']
  if (coverage !== null) facts.push(`covers ${Math.round(coverage * 100)}% of the query`)
  if (hidden) facts.push('hidden')
  if (complaint) facts.push('a complaint')
  return el('li', el('span', { dir: 'auto' }, excerpt), el('span', { class: 'soft' }, facts.join(', ')))
}
