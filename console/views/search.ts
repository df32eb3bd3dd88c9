import type { ConsolePageText, ConsoleSearch } from '../../src/contract/console.ts'
import { pluralize } from '../../src/contract/counts.ts'
import type { ExplainedExcerpt, Explanation } from '../../src/contract/explain.ts'
import { QUERY_LENGTH } from '../../src/contract/limits.ts'
import type { QueryResult } from '../../src/contract/query.ts'
import { floorText, scoreBesideFloor } from '../../src/contract/score-text.ts'
import { call, errorText } from '../api.ts'
import { cards } from '../cards.ts'
import type { Context } from '../context.ts'
import { announce, button, debounce, dialog, el, field, onSubmit, whileDisabled } from '../dom.ts'
import { latestOnly, problem } from '../latest-only.ts'
import { webAddress } from '../web-address.ts'
import { reviewActions, toggle } from './hide.ts'

const PAUSE_MS = 250

/** What visitors would see for a query or a page, why each card appears, and why others do not. */
export function searchView(body: HTMLElement, context: Context): void {
  const { params, setParams, ofEnv, ofProject, signal } = context
  const query = el('input', {
    type: 'search',
    maxlength: QUERY_LENGTH,
    autocomplete: 'off',
    dir: 'auto',
    value: params.get('q') ?? '',
  })
  const page = el('input', { type: 'url', placeholder: 'https://www.example.com/rooms', autocomplete: 'off' })
  const said = el('div', { 'aria-live': 'polite' })
  const results = el('div')

  const search = latestOnly(signal, said, async (mine) => {
    const q = query.value.trim()
    setParams(new URLSearchParams(q === '' ? {} : { q }))
    const body = { q: q || undefined, limit: 10, mode: 'reviews' }
    const found = await call<ConsoleSearch>('POST', ofEnv('search'), { body, signal: mine }).catch((error: unknown) => {
      // Clears the cards of the previous query.
      if (!mine.aborted) results.replaceChildren()
      throw error
    })
    if (!mine.aborted) show(found, q)
  })
  let inVain: string | undefined
  const show = ({ response, explained, near, floor }: ConsoleSearch, q: string) => {
    const { results: found, match } = response
    inVain = match === 'none' ? q : undefined
    const what =
      found.length === 0 && q === ''
        ? 'There are no reviews to show yet. Import a file of them under Reviews. If they are there already, they are still being indexed (see Health), hidden, or below the lowest rating (see What appears).'
        : match === 'none'
          ? 'Nothing fits, so nothing is shown.'
          : match === 'recent'
            ? `The newest ${pluralize(found.length, 'review')}, as on a page without a query.`
            : `${pluralize(found.length, 'card')}, as visitors see them.`
    said.replaceChildren(el('p', what))
    const rows = found.map((result) =>
      row(
        result,
        explained.find((one) => one.excerpt_id === result.excerpt_id),
      ),
    )
    const rest = near.map((one) => nearRow(one, q, floor))
    results.replaceChildren(
      el('ul', { class: 'results plain-list', role: 'list' }, ...rows),
      ...(rest.length > 0
        ? [el('h2', 'Close, but not shown'), el('ul', { class: 'near plain-list', role: 'list' }, ...rest)]
        : []),
    )
  }
  const row = (result: QueryResult, why: ExplainedExcerpt | undefined) => {
    const { review, excerpt_id, score } = result
    const shown = { ...review, hidden: false }
    const path = ofEnv(`reviews/${review.id}/excerpts/${excerpt_id}`)
    const mark = (hidden: boolean) => item.classList.toggle('is-hidden', hidden)
    const hideExcerpt = toggle({ hide: 'Hide this sentence', show: 'Show it again' }, result.excerpt, false, path, mark)
    const item = el(
      'li',
      cards({ match: 'query', took_ms: 0, cached: false, badge: false, results: [result] }, { layout: 'list' }),
      el(
        'div',
        { class: 'why' },
        score !== null && meter(score),
        why?.sentence && el('p', el('span', { class: 'soft' }, 'Matched: '), el('bdi', why.sentence)),
        why && el('p', { class: 'soft' }, becauseOf(why)),
        el('div', { class: 'actions' }, hideExcerpt, ...reviewActions(context, shown, mark, search)),
      ),
    )
    return item
  }
  const nearRow = (one: ExplainedExcerpt, q: string, floor: number) => {
    const attributes = { class: 'link', 'aria-description': one.excerpt }
    const why = button('Why not?', () => explain(one.review_id, q), attributes)
    const cosine = one.cosine === null ? '' : `${scoreBesideFloor(one.cosine, floor)}, floor ${floorText(floor)}`
    return el('li', el('span', { dir: 'auto' }, one.excerpt), el('span', { class: 'soft' }, cosine), why)
  }
  const explain = async (review: string, q: string) => {
    try {
      const why = await call<Explanation>('POST', ofEnv('explain'), { body: { review, q }, signal })
      explanationDialog(why, q)
    } catch (error) {
      if (!signal.aborted) announce(errorText(error))
    }
  }
  const derive = async () => {
    derived.replaceChildren()
    try {
      const sending = { body: { url: webAddress(page.value) }, signal }
      const text = await call<ConsolePageText>('POST', ofProject('/page'), sending)
      const [first = '', second] = text.queries
      const tell = (line: string) => derived.replaceChildren(el('p', line))
      query.value = first
      tell(
        first === ''
          ? 'The page does not say what it is about, so it would show the newest reviews.'
          : 'The page would search for the text in the field above.',
      )
      await search()
      if (second === undefined || inVain !== first || query.value !== first) return
      query.value = second
      tell('Nothing fits the page’s heading, so it would search a second time, with its description as well.')
      await search()
    } catch (error) {
      if (!signal.aborted) derived.replaceChildren(problem(error))
    }
  }
  const derived = el('div', { 'aria-live': 'polite' })
  const go = el('button', { type: 'submit', class: 'plain' }, 'Preview this page')
  query.addEventListener('input', debounce(PAUSE_MS, search))
  body.append(
    el('form', { role: 'search', onsubmit: onSubmit(search) }, field('What a visitor searches for', query)),
    el(
      'form',
      { onsubmit: onSubmit(() => whileDisabled(go, derive)), novalidate: true },
      el('div', { class: 'row' }, el('div', { class: 'wide' }, field('Or the address of one of your pages', page)), go),
    ),
    derived,
    said,
    results,
  )
  void search()
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

function saysText({ coverage }: ExplainedExcerpt): string {
  return coverage === null ? '' : `, covers ${Math.round(coverage * 100)}% of the query`
}

/** Shows why a review does not appear for a query, like `pullquote query --explain`. */
function explanationDialog({ review, floor, word_tier }: Explanation, q: string): void {
  if (!review) return
  const reasons = review.removed_by.map(({ message }) => el('li', message))
  const excerpts = review.excerpts.map((one) =>
    el(
      'li',
      el('span', { dir: 'auto' }, one.excerpt),
      el(
        'span',
        { class: 'soft' },
        `${one.cosine?.toFixed(3) ?? 'not indexed'}${saysText(one)}${one.hidden ? ', hidden' : ''}${one.complaint ? ', a complaint' : ''}`,
      ),
    ),
  )
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
    el('ul', { class: 'near plain-list', role: 'list' }, ...excerpts),
  )
}
