/** What was noticed about a row that is imported anyway. Counted, and told once an import. */
export type RowNote =
  | 'double_encoded'
  | 'repaired'
  | 'damaged_text'
  | 'link_left_out'
  | 'language_left_out'
  | 'metadata_cut'
  | 'unknown_status'
  | 'unknown_source'
  | 'translation_only'
  | 'html_decoded'
  | 'html_left'
  | 'future_date'

interface Places {
  count: number
  /** The first of them. */
  at: { table: number; line: number; example?: string }[]
}

/** Notes by kind, each counted, with the first places. */
export class RowNotes {
  readonly #places = new Map<RowNote, Places>()

  add(note: RowNote, table: number, line: number, example?: string): void {
    this.#merge(note, { count: 1, at: [{ table, line, ...(example !== undefined && { example }) }] })
  }

  addAll(others: RowNotes): void {
    for (const [note, places] of others) this.#merge(note, places)
  }

  [Symbol.iterator](): IterableIterator<[RowNote, Places]> {
    return this.#places.entries()
  }

  #merge(note: RowNote, { count, at }: Places): void {
    const known = this.#places.get(note) ?? { count: 0, at: [] }
    known.count += count
    for (const place of at) if (known.at.length < 3) known.at.push(place)
    this.#places.set(note, known)
  }
}
