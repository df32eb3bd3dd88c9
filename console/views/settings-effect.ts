import type { TriedQuery, TriedResult } from '../../src/contract/console.ts'
import { pluralize } from '../../src/contract/counts.ts'
import { el, stars } from '../dom.ts'

/** What a change of the settings would do to the most frequent searches: a summary, and the searches that differ. @param isChange whether anything was changed */
export function settingsEffect(queries: TriedQuery[], isChange: boolean): [summary: HTMLElement, ...HTMLElement[]] {
  if (queries.length === 0) {
    return [
      el(
        'p',
        'No visitor searches have been counted yet. Once there are some, your changes are tried here on the most frequent ones.',
      ),
    ]
  }
  const asked = queries.length === 1 ? 'the only search so far' : `the ${queries.length} most frequent searches`
  if (!isChange) return [el('p', `Change a setting to try it on ${asked}.`)]
  const differing = queries.filter(({ comes_in, drops_out }) => comes_in.length + drops_out.length > 0)
  if (differing.length === 0) return [el('p', `No change in the first five cards of ${asked}.`)]
  const sum = (pick: (one: TriedQuery) => unknown[]) => differing.reduce((all, one) => all + pick(one).length, 0)
  const [more, less] = [sum((one) => one.comes_in), sum((one) => one.drops_out)]
  const summary = `Of ${asked}, ${differing.length} would change: ${pluralize(more, 'card')} would enter the first five, ${less} would leave.`
  return [el('p', summary), ...differing.map(changedQuery)]
}

function changedQuery({ query, searches, comes_in, drops_out }: TriedQuery): HTMLElement {
  const entering = comes_in.map((one) => changedCard('in', one))
  const leaving = drops_out.map((one) => changedCard('out', one))
  const often = el('span', { class: 'soft' }, `searched ${pluralize(searches, 'time')}`)
  return el(
    'section',
    { class: 'tried' },
    el('h3', el('span', { dir: 'auto' }, query), ' ', often),
    el('ul', { class: 'plain-list', role: 'list' }, ...entering, ...leaving),
  )
}

function changedCard(kind: 'in' | 'out', { rating, excerpt }: TriedResult): HTMLElement {
  return el(
    'li',
    { class: kind },
    el('b', kind === 'in' ? 'enters' : 'leaves'),
    stars(rating),
    el('span', { dir: 'auto' }, excerpt),
  )
}
