import type { ConsoleReview, ConsoleReviews } from '../../src/contract/console.ts'
import { pluralize } from '../../src/contract/counts.ts'
import { SOURCES } from '../../src/contract/sources.ts'
import { call } from '../api.ts'
import type { Context } from '../context.ts'
import { button, debounce, el, field, formatDay, onSubmit, select, sourceName, stars } from '../dom.ts'
import { latestOnly } from '../latest-only.ts'
import { reviewActions } from './hide.ts'
import { IMPORTED, importBox } from './import.ts'

const PAUSE_MS = 300
/** How long the list is asked again for what was not indexed: nobody may be looking any more. */
const FOLLOW_MS = { first: 3_000, last: 300_000 }
/** Partial pages of a long list are filled up to this length. */
const PAGE = 20

/** All reviews, newest first, with their actions, and the import box. */
export function reviewsView(body: HTMLElement, context: Context): void {
  const { ofEnv, params, setParams } = context
  const list = el('ul', { class: 'reviews plain-list', role: 'list' })
  const said = el('div', { 'aria-live': 'polite' })
  const more = button('More', () => load(next), { class: 'plain', hidden: true })
  let next: string | null = null
  /** How many reviews and sentences were hidden or shown here. */
  let changes = 0

  const load = latestOnly(context.signal, said, async (signal, after: string | null) => {
    const wanted = new URLSearchParams()
    for (const [name, control] of Object.entries(filters))
      if (control.value.trim()) wanted.set(name, control.value.trim())
    const isFiltered = `${wanted}` !== ''
    setParams(wanted)
    let from = after
    let added = 0
    // Its cursor belongs to the previous list.
    if (from === null) more.hidden = true
    for (;;) {
      if (from !== null) wanted.set('after', from)
      const before = changes
      const page = await call<ConsoleReviews>('GET', ofEnv(`reviews?${wanted}`), { signal }).catch((error: unknown) => {
        // Clears reviews that matched other filters.
        if (from === null && !signal.aborted) list.replaceChildren()
        throw error
      })
      if (signal.aborted) return
      // It may have been read before what was done in the list that it replaces.
      if (from === null && changes > before) continue
      const rows = page.reviews.map(row)
      const items = rows.map(({ item }) => item)
      if (from === null) list.replaceChildren(...items)
      else list.append(...items)
      if (after !== null && added === 0) items[0]?.querySelector('button')?.focus()
      if (page.reviews.some(isIndexing)) void follow(`${wanted}`, rows)
      added += items.length
      next = page.next
      more.hidden = next === null
      if (!page.broken_off || added >= PAGE) break
      from = next
      said.replaceChildren(el('p', 'Searching older reviews …'))
    }
    const empty = isFiltered
      ? 'No reviews match these filters.'
      : 'There are no reviews here yet. Drop an export into the box above.'
    const count = list.childElementCount
    const found = `${pluralize(count, 'review')}${next === null ? '' : ', and there are more'}.`
    said.replaceChildren(el('p', count === 0 ? empty : found))
  })
  const changed = (item: HTMLElement) => {
    changes++
    if (!item.isConnected) void load(null)
  }
  const row = (review: ConsoleReview) => {
    const { id, rating, text, author_name, source, platform, occurred_at, hidden } = review
    const mark = el('span', { class: 'mark' })
    const shown = { ...review }
    const tell = (change: Partial<ConsoleReview>) => {
      Object.assign(shown, change)
      const marks = [
        shown.hidden && 'hidden',
        isIndexing(shown) && 'not indexed yet',
        shown.hidden_excerpts > 0 && `hidden sentences: ${shown.hidden_excerpts}`,
      ].filter(Boolean)
      mark.textContent = marks.join(', ')
    }
    tell({})
    const item = el(
      'li',
      { class: hidden ? 'is-hidden' : '' },
      el(
        'p',
        { class: 'line' },
        stars(rating),
        el('bdi', author_name ?? 'Anonymous'),
        el('span', { class: 'soft' }, `${formatDay(occurred_at)}, ${sourceName(source, platform)}`),
        mark,
      ),
      el('p', { class: 'text', dir: 'auto' }, text),
      el(
        'div',
        { class: 'actions' },
        ...reviewActions(
          context,
          review,
          (isHidden) => {
            item.classList.toggle('is-hidden', isHidden)
            tell({ hidden: isHidden })
            changed(item)
          },
          (count) => {
            tell({ hidden_excerpts: count })
            changed(item)
          },
        ),
      ),
    )
    return { id, item, tell }
  }
  /** Takes the mark "not indexed yet" off the rows of a page, as long as they are shown. */
  const follow = async (wanted: string, rows: ReturnType<typeof row>[]) => {
    for (let pause = FOLLOW_MS.first; pause <= FOLLOW_MS.last; pause *= 2) {
      await new Promise((resume) => setTimeout(resume, pause))
      if (context.signal.aborted || !rows.some(({ item }) => item.isConnected)) return
      try {
        const { reviews } = await call<ConsoleReviews>('GET', ofEnv(`reviews?${wanted}`), { signal: context.signal })
        for (const { id, status } of reviews) rows.find((one) => one.id === id)?.tell({ status })
        if (!reviews.some(isIndexing)) return
      } catch {
        // The page says when the server is away; the next turn asks again.
      }
    }
  }
  const anew = () => void load(null)
  const later = debounce(PAUSE_MS, anew)
  const filters = {
    q: el('input', { type: 'search', maxlength: 200, dir: 'auto', value: params.get('q') ?? '', oninput: later }),
    source: select(
      [['', 'all'], ...SOURCES.map((one): [string, string] => [one, sourceName(one)])],
      params.get('source') ?? '',
      anew,
    ),
    stars: select(
      [
        ['', 'all'],
        ...[5, 4, 3, 2, 1].map((one): [string, string] => [`${one}`, pluralize(one, 'star')]),
        ['0', 'none'],
      ],
      params.get('stars') ?? '',
      anew,
    ),
    state: select(
      [['', 'all'], 'shown', 'hidden', ['sentence_hidden', 'with hidden sentences'], ['indexing', 'not indexed yet']],
      params.get('state') ?? '',
      anew,
    ),
  }
  addEventListener(IMPORTED, anew, { signal: context.signal })
  body.append(
    importBox(context),
    el(
      'form',
      { role: 'search', class: 'row', onsubmit: onSubmit(anew) },
      el('div', { class: 'wide' }, field('Search reviews', filters.q)),
      field('Source', filters.source),
      field('Stars', filters.stars),
      field('State', filters.state),
    ),
    list,
    // Next to the "More" button that may have started it.
    said,
    el('p', more),
  )
  void load(null)
}

function isIndexing({ status }: ConsoleReview): boolean {
  return status === 'indexing'
}
