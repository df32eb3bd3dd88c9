/** What the rows must be, by the operations that were acknowledged. */
import type { ReviewInput } from '../../src/contract/review.ts'

export interface ModelRow {
  input: ReviewInput
  id: string
  hidden: boolean
}

/** A slot is one (source, external_id); `row` is undefined when it was never stored or is deleted. */
export interface Slot {
  key: string
  row: ModelRow | undefined
  /** An operation on it is under way, so that its state is not known. */
  busy: boolean
  /** When an operation on it last ended, ms of the monotonic clock. */
  changedAt: number
}

/** A row as the management routes return it. */
export interface StoredRow {
  id: string
  external_id: string
  source: string
  text: string
  rating: number | null
  author_name: string | null
  hidden: boolean
  metadata: Record<string, string>
  status: string
}

export const keyOf = (row: { source: string; external_id: string }) => `${row.source}/${row.external_id}`

/** How the stored rows differ from the model, in words; empty when they are the same. */
export function differences(slots: Iterable<Slot>, stored: Iterable<StoredRow>): string[] {
  const found: string[] = []
  const left = new Map<string, StoredRow>()
  for (const row of stored) {
    if (left.has(keyOf(row))) found.push(`${keyOf(row)} stands twice`)
    left.set(keyOf(row), row)
  }
  for (const { key, row } of slots) {
    const is = left.get(key)
    left.delete(key)
    if (!row) {
      if (is) found.push(`${key} was deleted and is there`)
      continue
    }
    if (!is) {
      found.push(`${key} was stored and is gone`)
      continue
    }
    const wanted = {
      id: row.id,
      text: row.input.text,
      rating: row.input.rating ?? null,
      author_name: row.input.author_name,
      hidden: row.hidden,
      status: 'indexed',
      metadata: sorted(row.input.metadata ?? {}),
    }
    const got = { ...is, metadata: sorted(is.metadata) }
    for (const [field, value] of Object.entries(wanted)) {
      const other: unknown = Reflect.get(got, field)
      if (JSON.stringify(other) !== JSON.stringify(value)) {
        found.push(`${key}: ${field} is ${JSON.stringify(other)}, not ${JSON.stringify(value)}`)
      }
    }
  }
  for (const key of left.keys()) found.push(`${key} was never stored and is there`)
  return found
}

function sorted(map: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)))
}
