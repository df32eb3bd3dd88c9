import type { ConsolePageText, ConsoleSearch } from '../../src/contract/console.ts'
import { pluralize } from '../../src/contract/counts.ts'
import { QUERY_LENGTH } from '../../src/contract/limits.ts'
import type { QueryResponse } from '../../src/contract/query.ts'
import { call } from '../api.ts'
import type { Context } from '../context.ts'
import { currentButton, debounce, el, field, onSubmit, whileDisabled } from '../dom.ts'
import { latestOnly, problem } from '../latest-only.ts'
import { webAddress } from '../web-address.ts'
import { cardRow, nearRow } from './search-rows.ts'

const PAUSE_MS = 250

/** What visitors would see for a query or a page, why each card appears, and why others do not. */
export function searchView(body: HTMLElement, context: Context): void {
  const view = new SearchView(context)
  body.append(...view.elements)
  void view.search()
}

class SearchView {
  readonly #context: Context
  readonly #query: HTMLInputElement
  readonly #page = el('input', { type: 'url', placeholder: 'https://www.example.com/rooms', autocomplete: 'off' })
  readonly #derived = el('div', { 'aria-live': 'polite' })
  readonly #said = el('div', { 'aria-live': 'polite' })
  readonly #results = el('div')
  readonly search: () => Promise<void>
  /** The last query, if nothing fitted it. */
  #inVain: string | undefined

  constructor(context: Context) {
    this.#context = context
    this.search = latestOnly(context.signal, this.#said, (mine) => this.#search(mine))
    this.#query = el('input', {
      type: 'search',
      maxlength: QUERY_LENGTH,
      autocomplete: 'off',
      dir: 'auto',
      value: context.params.get('q') ?? '',
      oninput: debounce(PAUSE_MS, this.search),
    })
  }

  get elements(): HTMLElement[] {
    const preview = el('button', { type: 'submit', class: 'plain' }, 'Preview this page')
    const page = field('Or the address of one of your pages', this.#page)
    return [
      el(
        'form',
        { role: 'search', onsubmit: onSubmit(this.search) },
        field('What a visitor searches for', this.#query),
      ),
      el(
        'form',
        { onsubmit: onSubmit(() => whileDisabled(preview, () => this.#searchForPage())), novalidate: true },
        el('div', { class: 'row' }, el('div', { class: 'wide' }, page), preview),
      ),
      this.#derived,
      this.#said,
      this.#results,
    ]
  }

  async #search(mine: AbortSignal): Promise<void> {
    const q = this.#query.value.trim()
    this.#context.setParams(new URLSearchParams(q === '' ? {} : { q }))
    const body = { q: q || undefined, limit: 10, mode: 'reviews' }
    const sending = { body, signal: mine }
    const found = await call<ConsoleSearch>('POST', this.#context.ofEnv('search'), sending).catch((error: unknown) => {
      // Clears the cards of the previous query.
      if (!mine.aborted) this.#results.replaceChildren()
      throw error
    })
    if (!mine.aborted) this.#show(found, q)
  }

  #show({ response, explained, near, floor }: ConsoleSearch, q: string): void {
    this.#inVain = response.match === 'none' ? q : undefined
    this.#said.replaceChildren(el('p', foundText(response, q)))
    const focused = document.activeElement
    const rows = response.results.map((result) => {
      const why = explained.find((one) => one.excerpt_id === result.excerpt_id)
      return cardRow(this.#context, result, why, this.search)
    })
    const rest = near.map((one) => nearRow(this.#context, one, q, floor))
    this.#results.replaceChildren(el('ul', { class: 'results plain-list', role: 'list' }, ...rows))
    const nearest = el('ul', { class: 'near plain-list', role: 'list' }, ...rest)
    if (rest.length > 0) this.#results.append(el('h2', 'Close, but not shown'), nearest)
    // A dialog that was closed before the answer had returned it to a button that is gone.
    if (focused && !focused.isConnected) (currentButton(focused) ?? document.querySelector('h1'))?.focus()
  }

  /** Searches for what the snippet would on the page: for its heading, and in vain for its description as well. */
  async #searchForPage(): Promise<void> {
    const { ofProject, signal } = this.#context
    const tell = (line: string) => this.#derived.replaceChildren(el('p', line))
    this.#derived.replaceChildren()
    try {
      const sending = { body: { url: webAddress(this.#page.value) }, signal }
      const { queries } = await call<ConsolePageText>('POST', ofProject('/page'), sending)
      const [first = '', second] = queries
      this.#query.value = first
      tell(
        first === ''
          ? 'The page does not say what it is about, so it would show the newest reviews.'
          : 'The page would search for the text in the field above.',
      )
      await this.search()
      if (second === undefined || this.#inVain !== first || this.#query.value !== first) return
      this.#query.value = second
      tell('Nothing fits the page’s heading, so it would search a second time, with its description as well.')
      await this.search()
    } catch (error) {
      if (!signal.aborted) this.#derived.replaceChildren(problem(error))
    }
  }
}

function foundText({ match, results }: QueryResponse, q: string): string {
  if (results.length === 0 && q === '')
    return 'There are no reviews to show yet. Import a file of them under Reviews. If they are there already, they are still being indexed (see Health), hidden, or below the lowest rating (see What appears).'
  if (match === 'none') return 'Nothing fits, so nothing is shown.'
  if (match === 'recent') return `The newest ${pluralize(results.length, 'review')}, as on a page without a query.`
  return `${pluralize(results.length, 'card')}, as visitors see them.`
}
