import { ImporterError } from '../importer-error.ts'
import { metadataKey, normalizeHeader } from '../read/headers.ts'
import type { RawRow, Table } from '../read/table.ts'
import { HEADER_ALIASES } from './aliases.ts'
import { anonymousColumn } from './author-columns.ts'
import { ColumnCandidates } from './column-candidates.ts'
import { detectFormat, formatNamed } from './detect-format.ts'
import { isPersonal } from './excluded-headers.ts'
import { type ImportFormat, mayHave } from './format.ts'
import { headerSet } from './header-names.ts'
import { type Field, type ImportOptions, MAPPABLE_FIELDS, type MappableField } from './mapping.ts'
import { listed, missingColumns } from './missing-columns.ts'
import { planNotes } from './plan-notes.ts'
import { prosAndCons } from './pros-and-cons.ts'
import { scaleColumn, scaleOfHeading } from './rating-columns.ts'
import { type KindColumn, kindColumns } from './row-kinds.ts'
import { statusColumn, type VisibilityColumn, type VisibilityColumns, visibilityColumns } from './visibility-columns.ts'

/** Which column means what in one table, decided once before its rows are read. */
export interface ColumnPlan {
  format: ImportFormat
  reason: string
  /** Column positions by field; of several, each row takes the first that is filled. */
  fields: Partial<Record<Field, readonly number[]>>
  metadata: readonly { index: number; key: string }[]
  /** Columns that are left out. */
  unused: string[]
  /** Fields that more than one column could be, with the columns that were not taken. */
  alternatives: Partial<Record<Field, string[]>>
  /** Columns that say whether a row may be shown; they are the field `status`. */
  visibility: readonly VisibilityColumn[]
  /** Of the columns of the text each row takes all that are filled, a paragraph each. */
  joinsTexts: boolean
  /** The highest that a bare number may be as a rating, where that is not 5. */
  ratingScale: number | undefined
  /** The column that says so in each row. */
  scaleColumn: number | undefined
  /** Columns that tell reviews from other things in the same file. */
  kinds: readonly KindColumn[]
  /** The column in which reviewers ask not to be named. */
  anonymous: number | undefined
  /** What there is to know about how the columns were understood. */
  notes: readonly string[]
}

const ALL_FIELDS = [...HEADER_ALIASES.keys()]
const FORMAT_FIELDS: readonly Field[] = [...ALL_FIELDS, 'status']

/**
 * Decides the meaning of every column: the user's mapping first, then the format's columns, then the aliases, of which
 * a column is taken only when its cells look the part.
 *
 * @param sample the first rows of the table
 * @throws ImporterError `unknown_profile`, `unknown_column`, `no_headings`, or `mapping_needed` when text or date is not found
 */
export function planColumns(table: Table, sample: readonly RawRow[], options: ImportOptions): ColumnPlan {
  const { format, ...detected } = detectFormat(table, options.profile)
  const fields: ColumnPlan['fields'] = {}
  const alternatives: ColumnPlan['alternatives'] = {}
  const names = table.headers.map(normalizeHeader)
  const candidates = new ColumnCandidates(table.headers, sample)
  const context: Context = { table, names, candidates, sample, used: new Set(), options, fields, alternatives }
  for (const field of MAPPABLE_FIELDS) takeMapped(field, context)
  for (const field of FORMAT_FIELDS) if (fields[field] === undefined) takeFromFormat(format, field, context)
  const open = ALL_FIELDS.filter((field) => mayHave(format, field) || field === 'source')
  for (const field of open) takeByAlias(field, context)
  for (const field of LAST_RESORT) if (open.includes(field)) takeByNameAlone(field, context)
  const joined = fields.text === undefined ? prosAndCons(table.headers, context.used) : undefined
  if (joined) take('text', joined, context)
  let chosen = format
  let { reason } = detected
  if (format.name === 'generic' && options.profile === undefined && fields.source) {
    chosen = formatNamed('multi-source')
    reason = `the column "${table.headers[fields.source[0] ?? 0]}" names the platform of each row`
  } else if (!mayHave(format, 'source') && options.map?.source === undefined) {
    delete fields.source
  }
  const missing = (['text', 'date'] as const).filter((field) => (fields[field] ?? []).length === 0)
  if (missing.length > 0) throw missingColumns(table, sample, context.used, missing)
  const { taken: visibility, notUnderstood } = visibilityOf(format, context)
  const metadata = metadataColumns(chosen, context)
  const kept = new Set([...Object.values(fields).flat(), ...metadata.map((column) => column.index)])
  const unused = table.headers.filter((_, index) => !kept.has(index))
  const joinsTexts = (format.joinsTexts ?? false) || joined !== undefined
  const ratingScale = format.ratingScale ?? namedScale(table.headers[fields.rating?.[0] ?? -1])
  const notes = planNotes({ headers: table.headers, sample, fields, unused, notUnderstood, format })
  return {
    format: chosen,
    reason,
    fields,
    metadata,
    unused,
    alternatives,
    visibility,
    joinsTexts,
    ratingScale,
    scaleColumn: scaleColumn(table.headers, sample),
    kinds: kindColumns(table.headers, sample, chosen),
    anonymous: anonymousColumn(table.headers, sample),
    notes,
  }
}

/** The columns that say whether a row may be shown: those of the user or the format, and all that can mean nothing else. */
function visibilityOf(format: ImportFormat, { table, sample, used, options, fields }: Context): VisibilityColumns {
  const named = (fields.status ?? []).map((index) => statusColumn(table.headers[index] ?? '', index, format))
  if (options.map?.status !== undefined || !mayHave(format, 'status')) return { taken: named, notUnderstood: [] }
  const byName = visibilityColumns(table.headers, sample, (index) => !used.has(index), named.length > 0)
  const taken = [...named, ...byName.taken]
  if (taken.length > 0) fields.status = taken.map(({ index }) => index)
  return { taken, notUnderstood: taken.length > 0 ? [] : byName.notUnderstood }
}

/** Taken by name even when no cell looks right, so that the rows are reported rather than imported without. */
const LAST_RESORT: readonly Field[] = ['rating', 'date', 'text']

interface Context {
  table: Table
  /** The headers as they are compared. */
  names: readonly string[]
  candidates: ColumnCandidates
  sample: readonly RawRow[]
  used: Set<number>
  options: ImportOptions
  /** What is found so far. */
  fields: ColumnPlan['fields']
  alternatives: ColumnPlan['alternatives']
}

/** @throws ImporterError `unknown_column` */
function columnNamed(name: string, { file, headers }: Table): number {
  const exact = headers.indexOf(name)
  if (exact !== -1) return exact
  const wanted = normalizeHeader(name)
  const matching = headers.flatMap((header, index) => (normalizeHeader(header) === wanted ? [index] : []))
  const [index] = matching
  if (index !== undefined && matching.length === 1) return index
  const trouble = matching.length > 1 ? 'is the name of several columns' : 'is not a column'
  throw new ImporterError('unknown_column', `"${name}" ${trouble} of ${file}. Its columns: ${listed(headers)}.`)
}

function takeMapped(field: MappableField, context: Context): void {
  const name = context.options.map?.[field]
  if (name !== undefined) take(field, name === '' ? [] : [columnNamed(name, context.table)], context)
}

function takeFromFormat(format: ImportFormat, field: Field, context: Context): void {
  const { names, used } = context
  const columns = [...headerSet(format.columns[field] ?? '')]
  const found = columns.map((name) => names.indexOf(name)).filter((index) => index !== -1 && !used.has(index))
  if (found.length > 0) take(field, found, context)
}

function takeByAlias(field: Field, context: Context): void {
  const { table, candidates, used, fields, alternatives } = context
  if (fields[field] !== undefined) return
  const [index, ...others] = candidates.plausible(field, used)
  if (index === undefined) return
  take(field, [index], context)
  if (others.length > 0) alternatives[field] = others.map((other) => table.headers[other] ?? '')
}

function takeByNameAlone(field: Field, context: Context): void {
  const [index] = context.candidates.named(field, context.used)
  if (context.fields[field] === undefined && index !== undefined) take(field, [index], context)
}

function take(field: Field, indexes: readonly number[], { used, fields }: Context): void {
  fields[field] = indexes
  for (const index of indexes) used.add(index)
}

function namedScale(header: string | undefined): number | undefined {
  const scale = scaleOfHeading(header ?? '')
  return typeof scale === 'number' && scale > 5 ? scale : undefined
}

function metadataColumns(format: ImportFormat, { table, options, fields }: Context) {
  const { metadata: choice } = options
  const { headers } = table
  const taken = new Set<string>()
  const columns: { index: number; key: string }[] = []
  const add = (index: number, key: string) => {
    let unique = key
    for (let count = 2; taken.has(unique); count++) unique = `${key.slice(0, 60)}_${count}`
    taken.add(unique)
    columns.push({ index, key: unique })
  }
  if (format.isOwnExport) {
    for (const [index, header] of headers.entries())
      if (header.startsWith('metadata.')) add(index, header.slice('metadata.'.length))
    return columns
  }
  const known = new Map(Object.entries(format.metadata ?? {}).map(([name, key]) => [normalizeHeader(name), key]))
  const keyOf = (index: number) => {
    if (fields.title?.includes(index)) return 'title'
    const header = headers[index] ?? ''
    return known.get(normalizeHeader(header)) ?? metadataKey(header)
  }
  if (choice === 'none') return columns
  if (Array.isArray(choice)) {
    for (const name of choice) {
      const index = columnNamed(name, table)
      add(index, keyOf(index))
    }
    return columns
  }
  const mapped = new Set(Object.entries(fields).flatMap(([field, indexes]) => (field === 'title' ? [] : indexes)))
  for (const [index, header] of headers.entries()) {
    if (mapped.has(index)) continue
    const byFormat = known.has(normalizeHeader(header)) || fields.title?.includes(index)
    if (byFormat || (choice === 'all' && !isPersonal(header))) add(index, keyOf(index))
  }
  return columns
}
