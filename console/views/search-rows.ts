import type { ExplainedExcerpt } from '../../src/contract/explain.ts'
import type { QueryResult } from '../../src/contract/query.ts'
import { floorText, scoreBesideFloor } from '../../src/contract/score-text.ts'
import { cards } from '../cards.ts'
import type { Context } from '../context.ts'
import { button, el } from '../dom.ts'
import { explain } from './explanation.ts'
import { reviewActions, toggle } from './hide.ts'

/** A card as visitors see it, why it appears, and what can be done about it. @param again repeats the search */
export function cardRow(
  context: Context,
  result: QueryResult,
  why: ExplainedExcerpt | undefined,
  again: () => void,
): HTMLElement {
  const { review, excerpt_id, excerpt, score } = result
  const path = context.ofEnv(`reviews/${review.id}/excerpts/${excerpt_id}`)
  const mark = (hidden: boolean) => item.classList.toggle('is-hidden', hidden)
  const hideExcerpt = toggle({ hide: 'Hide this sentence', show: 'Show it again' }, excerpt, false, path, mark)
  const actions = reviewActions(context, { ...review, hidden: false }, mark, again)
  const item = el(
    'li',
    cards({ match: 'query', took_ms: 0, cached: false, badge: false, results: [result] }, { layout: 'list' }),
    el(
      'div',
      { class: 'why' },
      score !== null && meter(score),
      why?.sentence && el('p', el('span', { class: 'soft' }, 'Matched: '), el('bdi', why.sentence)),
      why && el('p', { class: 'soft' }, becauseOf(why)),
      el('div', { class: 'actions' }, hideExcerpt, ...actions),
    ),
  )
  return item
}

/** An excerpt that is close to the query and not shown. */
export function nearRow(context: Context, near: ExplainedExcerpt, q: string, floor: number): HTMLElement {
  const { review_id, excerpt, cosine } = near
  const why = button('Why not?', () => explain(context, review_id, q), { class: 'link', 'aria-description': excerpt })
  const score = cosine === null ? '' : `${scoreBesideFloor(cosine, floor)}, floor ${floorText(floor)}`
  return el('li', el('span', { dir: 'auto' }, excerpt), el('span', { class: 'soft' }, score), why)
}

function meter(score: number): HTMLElement {
  const value = score.toFixed(2)
  return el(
    'p',
    { class: 'score' },
    el('meter', { min: 0, max: 1, value: score, 'aria-label': `Score ${value}` }),
    value,
  )
}

function becauseOf({ passes_by, words_matched, cosine }: ExplainedExcerpt): string {
  const said = words_matched.length > 0 ? ` and mentions ${words_matched.map((word) => `“${word}”`).join(', ')}` : ''
  if (passes_by === 'words') return `Matches by wording (${cosine?.toFixed(2)})${said}.`
  return `Matches by meaning${said}.`
}
