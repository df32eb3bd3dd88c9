import { ImporterError } from '../importer-error.ts'
import { normalizeHeader } from '../read/headers.ts'
import type { RawRow, Table } from '../read/table.ts'
import { HEADER_ALIASES } from './aliases.ts'
import { ColumnCandidates } from './column-candidates.ts'
import { holdsLists } from './column-content.ts'
import { COMPOUND_FIELDS } from './compound-names.ts'
import { type ImportFormat, supportsField } from './format.ts'
import { headerSet } from './header-names.ts'
import { type Field, type ImportOptions, MAPPABLE_FIELDS } from './mapping.ts'
import { columnList } from './missing-columns.ts'

/** Column indexes by field; of several, each row uses the first that is filled. */
export type Fields = Partial<Record<Field, readonly number[]>>

const ALIASED_FIELDS = [...HEADER_ALIASES.keys()]
const FORMAT_FIELDS: readonly Field[] = [...ALIASED_FIELDS, 'status', 'hidden_words']
/** Assigned by name even when no cell is plausible, so that rows are reported as faulty instead of losing the field. */
const LAST_RESORT: readonly Field[] = ['rating', 'date', 'text']
/** Fields of which each row may fill a different column. */
const COMPLEMENTED: readonly Field[] = ['date', 'rating', 'text']

/** Assigns columns to fields; each column belongs to at most one. */
export class FieldColumns {
  readonly fields: Fields = {}
  /** Headers of further candidates that were not assigned, by field. */
  readonly alternatives: Partial<Record<Field, string[]>> = {}
  readonly used = new Set<number>()
  /** Fields whose column was recognized only by the words in its name. */
  readonly byWords: Field[] = []
  readonly #table: Table
  readonly #candidates: ColumnCandidates
  readonly #sample: readonly RawRow[]

  constructor(table: Table, sample: readonly RawRow[]) {
    this.#table = table
    this.#sample = sample
    this.#candidates = new ColumnCandidates(table.headers, sample)
  }

  /** @throws ImporterError `unknown_column` */
  takeMapped(map: ImportOptions['map'] = {}): void {
    for (const field of MAPPABLE_FIELDS) {
      const name = map[field]
      if (name !== undefined) this.take(field, name === '' ? [] : [findColumn(name, this.#table)])
    }
  }

  takeFromFormat({ columns }: ImportFormat): void {
    const names = this.#table.headers.map(normalizeHeader)
    for (const field of FORMAT_FIELDS) {
      if (this.fields[field] !== undefined) continue
      const places = [...headerSet(columns[field] ?? '')].map((name) => names.indexOf(name))
      const found = places.filter((index) => index !== -1 && !this.used.has(index))
      if (found.length > 0) this.take(field, found)
    }
  }

  /** Assigns columns with common names whose cells are plausible. */
  takeByAlias(format: ImportFormat): void {
    // The source is assigned even when the format fixes it, so that its column is not mistaken for another field.
    const open = ALIASED_FIELDS.filter((field) => supportsField(format, field) || field === 'source')
    const isOpen = (field: Field) => open.includes(field) && this.fields[field] === undefined
    for (const field of open.filter(isOpen)) this.#takeFirst(field, this.#candidates.plausible(field, this.used))
    for (const field of COMPOUND_FIELDS.filter(isOpen)) {
      const candidates = this.#candidates.compound(field, this.used)
      this.#takeFirst(field, candidates)
      if (candidates.length > 0) this.byWords.push(field)
    }
    for (const field of LAST_RESORT.filter(isOpen)) {
      const [index] = this.#candidates.named(field, this.used)
      // Lists of several ratings are told by a note.
      const isList = field === 'rating' && index !== undefined && holdsLists(this.#sample, index)
      if (index !== undefined && !isList) this.take(field, [index])
    }
  }

  /** Assigns the best candidate, with those that complement it; the others are alternatives. */
  #takeFirst(field: Field, candidates: readonly number[]): void {
    if (candidates.length === 0) return
    this.take(field, COMPLEMENTED.includes(field) ? this.#candidates.complements(candidates) : candidates.slice(0, 1))
    const left = candidates.filter((index) => !this.used.has(index))
    if (left.length > 0) this.alternatives[field] = left.map((index) => this.#table.headers[index] ?? '')
  }

  take(field: Field, indexes: readonly number[]): void {
    this.fields[field] = indexes
    for (const index of indexes) this.used.add(index)
  }
}

/**
 * The column with a name that the user gave.
 *
 * @throws ImporterError `unknown_column`
 */
export function findColumn(name: string, { file, headers }: Table): number {
  const exact = headers.indexOf(name)
  if (exact !== -1) return exact
  const wanted = normalizeHeader(name)
  const matching = headers.flatMap((header, index) => (normalizeHeader(header) === wanted ? [index] : []))
  const [index] = matching
  if (index !== undefined && matching.length === 1) return index
  const trouble = matching.length > 1 ? 'is the name of several columns' : 'is not a column'
  throw new ImporterError('unknown_column', `"${name}" ${trouble} of ${file}. Its columns: ${columnList(headers)}.`)
}
