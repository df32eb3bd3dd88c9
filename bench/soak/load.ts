/** One stream of operations: pushes, changes, hides, deletes, reads and queries, each repeated until it is acknowledged. */
import { setTimeout as pause } from 'node:timers/promises'
import * as v from 'valibot'
import type { ReviewInput } from '../../src/contract/review.ts'
import { QUERIES } from '../corpus.ts'
import { keyOf, type Slot } from './model.ts'

const pushed = v.object({ reviews: v.array(v.object({ id: v.string(), external_id: v.string(), source: v.string() })) })
const found = v.object({
  results: v.array(
    v.object({
      excerpt: v.string(),
      highlight: v.nullable(v.object({ start: v.number(), end: v.number() })),
      review: v.object({ id: v.string(), text: v.optional(v.string()) }),
    }),
  ),
})
const shown = v.object({ id: v.string(), text: v.string(), hidden: v.boolean() })

export interface LoadCounts {
  operations: number
  pushes: number
  patches: number
  deletes: number
  queries: number
  reads: number
  /** Requests that were sent again: no answer, or one that says "not now". */
  repeats: number
  /** Of those, how many were answered 503. */
  unavailable: number
  results: number
}

export interface LoadOptions {
  /** The slots of this stream; no other stream writes to them. */
  slots: Slot[]
  /** By review id, of all streams: to check what a query shows. */
  byId: Map<string, Slot>
  /** Supplies texts, endlessly. */
  reviews: Iterator<ReviewInput>
  random: () => number
  urls: () => string
  key: () => string
  counts: LoadCounts
  /** Notes what is wrong; the run goes on, and fails at its end. */
  fault: (what: string) => void
}

/** A status that says "not now": the same request is sent again. */
const LATER = new Set([429, 500, 502, 503, 504])

export function createLoad(options: LoadOptions) {
  const { slots, byId, random, counts, fault } = options
  const anySlot = () => slots[Math.floor(random() * slots.length)] as Slot

  /** Repeats until the answer is neither "later" nor a lost connection. @returns whether an earlier try may have landed */
  async function send(method: string, path: string, body?: unknown) {
    for (let tries = 0; ; tries++) {
      const response = await fetch(options.urls() + path, {
        method,
        headers: { authorization: `Bearer ${options.key()}`, 'content-type': 'application/json' },
        signal: AbortSignal.timeout(60_000),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }).catch(() => undefined)
      const text = await response?.text().catch(() => undefined)
      if (response && text !== undefined && !LATER.has(response.status)) {
        return { status: response.status, text, repeated: tries > 0 }
      }
      // A kill is answered by a lost connection; an answer of 500 is a fault of the server whatever happens around it.
      if (response?.status === 500) fault(`${method} ${path}: 500 ${text}`)
      if (response?.status === 503) {
        counts.unavailable++
        if (!response.headers.has('retry-after')) fault(`${method} ${path}: 503 without Retry-After`)
      }
      counts.repeats++
      await pause(Math.min(5_000, 200 * 2 ** tries))
    }
  }

  async function holding(held: Slot[], work: () => Promise<void>): Promise<void> {
    for (const slot of held) slot.busy = true
    try {
      await work()
    } finally {
      for (const slot of held) {
        slot.busy = false
        slot.changedAt = performance.now()
      }
    }
  }

  async function push(): Promise<void> {
    const chosen = new Set(Array.from({ length: 1 + Math.floor(random() ** 3 * 40) }, anySlot))
    const held = [...chosen]
    const batch = held.map((slot) => {
      const [source, external_id] = slot.key.split('/') as [ReviewInput['source'], string]
      const fresh: ReviewInput = options.reviews.next().value
      return { ...fresh, source, external_id, metadata: { page: `p${Math.floor(random() * 5)}` } }
    })
    await holding(held, async () => {
      const { status, text } = await send('POST', '/v1/reviews', batch)
      if (status !== 200) return fault(`push: ${status} ${text}`)
      for (const [i, { id, external_id, source }] of v.parse(pushed, JSON.parse(text)).reviews.entries()) {
        const slot = held[i] as Slot
        if (keyOf({ source, external_id }) !== slot.key) fault(`push answered ${external_id} for ${slot.key}`)
        if (slot.row && slot.row.id !== id) fault(`${slot.key} has a new id after an update`)
        slot.row = { input: batch[i] as ReviewInput, id, hidden: slot.row?.hidden ?? false }
        byId.set(id, slot)
      }
      counts.pushes++
    })
  }

  async function patch(): Promise<void> {
    const slot = anySlot()
    const { row } = slot
    if (!row) return push()
    const hidden = random() < 0.5
    const metadata = random() < 0.3 ? { page: 'patched', by: 'soak' } : undefined
    await holding([slot], async () => {
      const { status, text } = await send('PATCH', `/v1/reviews/${row.id}`, { hidden, ...(metadata && { metadata }) })
      if (status !== 200) return fault(`patch of ${slot.key}: ${status} ${text}`)
      slot.row = { ...row, hidden, input: metadata ? { ...row.input, metadata } : row.input }
      counts.patches++
    })
  }

  async function remove(): Promise<void> {
    const slot = anySlot()
    const { row } = slot
    if (!row) return push()
    await holding([slot], async () => {
      const { status, text, repeated } = await send('DELETE', `/v1/reviews/${row.id}`)
      // A repeated delete finds nothing when the first one landed before the connection was lost.
      if (status !== 204 && !(repeated && status === 404)) return fault(`delete of ${slot.key}: ${status} ${text}`)
      slot.row = undefined
      counts.deletes++
    })
  }

  async function read(): Promise<void> {
    const slot = anySlot()
    const { row } = slot
    if (!row) return push()
    const { status, text } = await send('GET', `/v1/reviews/${row.id}`)
    const is = status === 200 ? v.parse(shown, JSON.parse(text)) : undefined
    if (is?.text !== row.input.text || is.hidden !== row.hidden) fault(`${slot.key} reads as ${status} ${text}`)
    counts.reads++
  }

  async function query(): Promise<void> {
    const q = QUERIES[Math.floor(random() * QUERIES.length)] ?? 'breakfast'
    const begun = performance.now()
    const parameters = new URLSearchParams({ q, limit: '10', include: 'text' })
    const { status, text } = await send('GET', `/v1/query?${parameters}`)
    if (status !== 200) return fault(`query: ${status} ${text}`)
    counts.queries++
    for (const { excerpt, highlight, review } of v.parse(found, JSON.parse(text)).results) {
      counts.results++
      const slot = byId.get(review.id)
      if (highlight && review.text?.slice(highlight.start, highlight.end) !== excerpt) {
        fault(`the excerpt of ${review.id} is no slice of its text`)
      }
      // What changed while the query ran may be shown as it was or as it is.
      if (!slot || slot.busy || slot.changedAt >= begun) continue
      if (slot.row?.id !== review.id) fault(`a query shows ${slot.key}, which was deleted`)
      else if (slot.row.hidden) fault(`a query shows ${slot.key}, which is hidden`)
      else if (review.text !== slot.row.input.text) fault(`a query shows an old text of ${slot.key}`)
    }
  }

  /** One operation, chosen at random: as many rows go as come, so that the corpus stays about the same size. */
  return async function step(): Promise<void> {
    const chance = random()
    counts.operations++
    if (chance < 0.14) await push()
    else if (chance < 0.24) await patch()
    else if (chance < 0.4) await remove()
    else if (chance < 0.55) await read()
    else await query()
  }
}
