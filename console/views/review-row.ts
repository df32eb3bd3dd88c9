import type { ConsoleReview } from '../../src/contract/console.ts'
import type { Context } from '../context.ts'
import { el, formatDay, sourceName, stars } from '../dom.ts'
import { reviewActions } from './hide.ts'

export interface ReviewRow {
  id: string
  item: HTMLElement
  /** Marks what the server says of the review by now. */
  mark(change: Partial<ConsoleReview>): void
}

/** A stored review with its actions. @param changed after the user hid or showed it or one of its sentences */
export function reviewRow(context: Context, review: ConsoleReview, changed: (item: HTMLElement) => void): ReviewRow {
  const { id, rating, text, author_name, source, platform, occurred_at } = review
  const shown = { ...review }
  const marks = el('span', { class: 'mark' })
  const mark = (change: Partial<ConsoleReview>) => {
    Object.assign(shown, change)
    item.classList.toggle('is-hidden', shown.hidden)
    marks.textContent = marksOf(shown).join(', ')
  }
  const markChange = (change: Partial<ConsoleReview>) => {
    mark(change)
    changed(item)
  }
  const actions = reviewActions(
    context,
    review,
    (hidden) => markChange({ hidden }),
    (count) => markChange({ hidden_excerpts: count }),
  )
  const about = `${formatDay(occurred_at)}, ${sourceName(source, platform)}`
  const item = el(
    'li',
    el(
      'p',
      { class: 'line' },
      stars(rating),
      el('bdi', author_name ?? 'Anonymous'),
      el('span', { class: 'soft' }, about),
      marks,
    ),
    el('p', { class: 'text', dir: 'auto' }, text),
    el('div', { class: 'actions' }, ...actions),
  )
  mark({})
  return { id, item, mark }
}

function marksOf(review: ConsoleReview): string[] {
  const marks = []
  if (review.hidden) marks.push('hidden')
  if (isIndexing(review)) marks.push('not indexed yet')
  if (review.hidden_excerpts > 0) marks.push(`hidden sentences: ${review.hidden_excerpts}`)
  return marks
}

export function isIndexing({ status }: ConsoleReview): boolean {
  return status === 'indexing'
}
