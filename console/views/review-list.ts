import type { ConsoleReviews } from '../../src/contract/console.ts'
import { pluralize } from '../../src/contract/counts.ts'
import { call } from '../api.ts'
import type { Context } from '../context.ts'
import { button, el } from '../dom.ts'
import { latestOnly } from '../latest-only.ts'
import { isIndexing, type ReviewRow, reviewRow } from './review-row.ts'

/** How long the list is asked again for what was not indexed: nobody may be looking any more. */
const FOLLOW_MS = { first: 3_000, last: 300_000 }
/** Partial pages of a long list are filled up to this length. */
const PAGE = 20

/** The reviews that match the filters, newest first, a page at a time. */
export class ReviewList {
  readonly #context: Context
  readonly #filters: () => URLSearchParams
  readonly #list = el('ul', { class: 'reviews plain-list', role: 'list' })
  readonly #said = el('div', { 'aria-live': 'polite' })
  readonly #more = button('More', () => this.#load(this.#next), { class: 'plain', hidden: true })
  readonly #load: (after: string | null) => Promise<void>
  #next: string | null = null
  /** How many reviews and sentences were hidden or shown here. */
  #changes = 0

  /** @param filters the parameters of the reviews that are wanted, read at each load */
  constructor(context: Context, filters: () => URLSearchParams) {
    this.#context = context
    this.#filters = filters
    this.#load = latestOnly(context.signal, this.#said, (signal, after: string | null) => this.#fill(signal, after))
  }

  get elements(): HTMLElement[] {
    // What is said stands next to the "More" button that may have started it.
    return [this.#list, this.#said, el('p', this.#more)]
  }

  /** Loads the first page anew. */
  reload(): void {
    void this.#load(null)
  }

  async #fill(signal: AbortSignal, after: string | null): Promise<void> {
    const filters = this.#filters()
    this.#context.setParams(filters)
    // Its cursor belongs to the previous list.
    if (after === null) this.#more.hidden = true
    let added = 0
    let from = after
    for (;;) {
      const page = await this.#page(signal, filters, from)
      if (page === undefined) return
      const items = this.#show(page, filters, from)
      if (after !== null && added === 0) items[0]?.querySelector('button')?.focus()
      added += items.length
      this.#next = page.next
      this.#more.hidden = page.next === null
      if (!page.broken_off || added >= PAGE) break
      from = page.next
      this.#said.replaceChildren(el('p', 'Searching older reviews …'))
    }
    this.#tellCount(`${filters}` !== '')
  }

  /** One page of reviews, as they are after what was done in the list. @returns undefined when no longer wanted */
  async #page(signal: AbortSignal, filters: URLSearchParams, from: string | null): Promise<ConsoleReviews | undefined> {
    for (;;) {
      const before = this.#changes
      const page = await this.#get(filters, from, signal).catch((error: unknown) => {
        // Clears reviews that matched other filters.
        if (from === null && !signal.aborted) this.#list.replaceChildren()
        throw error
      })
      if (signal.aborted) return undefined
      // It may have been read before what was done in the list that it replaces.
      if (from !== null || this.#changes === before) return page
    }
  }

  #get(filters: URLSearchParams, from: string | null, signal: AbortSignal): Promise<ConsoleReviews> {
    const wanted = new URLSearchParams(filters)
    if (from !== null) wanted.set('after', from)
    return call<ConsoleReviews>('GET', this.#context.ofEnv(`reviews?${wanted}`), { signal })
  }

  /** Puts a page into the list: in place of what it shows, or below it. */
  #show({ reviews }: ConsoleReviews, filters: URLSearchParams, from: string | null): HTMLElement[] {
    const rows = reviews.map((review) => reviewRow(this.#context, review, (item) => this.#changed(item)))
    const items = rows.map(({ item }) => item)
    if (from === null) this.#list.replaceChildren(...items)
    else this.#list.append(...items)
    if (reviews.some(isIndexing)) void this.#follow(rows, filters, from)
    return items
  }

  #changed(item: HTMLElement): void {
    this.#changes++
    if (!item.isConnected) this.reload()
  }

  /** Takes the mark "not indexed yet" off the rows of a page, as long as they are shown. */
  async #follow(rows: ReviewRow[], filters: URLSearchParams, from: string | null): Promise<void> {
    const { signal } = this.#context
    for (let pause = FOLLOW_MS.first; pause <= FOLLOW_MS.last; pause *= 2) {
      await new Promise((resume) => setTimeout(resume, pause))
      if (signal.aborted || !rows.some(({ item }) => item.isConnected)) return
      try {
        const { reviews } = await this.#get(filters, from, signal)
        for (const { id, status } of reviews) rows.find((one) => one.id === id)?.mark({ status })
        if (!reviews.some(isIndexing)) return
      } catch {
        // The page says when the server is away; the next turn asks again.
      }
    }
  }

  #tellCount(isFiltered: boolean): void {
    const count = this.#list.childElementCount
    const empty = isFiltered
      ? 'No reviews match these filters.'
      : 'There are no reviews here yet. Drop an export into the box above.'
    const found = `${pluralize(count, 'review')}${this.#next === null ? '' : ', and there are more'}.`
    this.#said.replaceChildren(el('p', count === 0 ? empty : found))
  }
}
