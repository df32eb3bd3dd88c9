import { METADATA } from '../contract/limits.ts'
import { type ReviewInput, reviewInput } from '../contract/review.ts'
import { validate } from '../contract/validate.ts'
import type { ColumnPlan } from './columns.ts'
import { metadataValue, restore } from './csv-write.ts'
import { parseDate, plainTimestamp, type SlashOrder } from './date.ts'
import { isMangledId, stableId } from './external-id.ts'
import { normaliseHeader } from './headers.ts'
import { parseLanguage } from './language.ts'
import { parseLink } from './link.ts'
import type { Field, ImportOptions } from './mapping.ts'
import { looksDoubleEncoded, repairEncoding } from './mojibake.ts'
import { parseRating } from './rating.ts'
import { type RowFault, type SkipReason, shown } from './skip.ts'
import { sourceOf } from './source.ts'
import { type Visibility, visibilityOf } from './status.ts'
import type { RawRow, Table } from './table.ts'
import { openTranslation } from './translation.ts'

/** What was noticed about a row that is imported all the same. Counted, and told once an import. */
export type Note =
  | 'double_encoded'
  | 'repaired'
  | 'damaged_text'
  | 'link_left_out'
  | 'language_left_out'
  | 'metadata_cut'
  | 'unknown_status'
  | 'unknown_source'
  | 'translation_only'

/** A row ready to be pushed. */
export interface ImportRow {
  review: ReviewInput
  /** Hidden in the vendor's export, so hidden here too. */
  hidden: boolean
  /** The number of its table among those of the import, from 0. */
  table: number
  line: number
}

export interface RowObserver {
  note(note: Note, line: number, example?: string): void
  slashDate(order: SlashOrder): void
}

export type RowResult = { ok: true; row: ImportRow } | { ok: false; fault: RowFault }

const ANONYMOUS = 'Anonymous'
const SPREADSHEET_ERROR = /^#(?:NAME\?|VALUE!|REF!|N\/A|DIV\/0!|NUM!|NULL!|ERROR!|SPILL!)$/i
const FLAG_THAT_HIDES = new Set(['hidden', 'ishidden'])
const HIDES: Record<string, Visibility> = {
  true: 'hidden',
  yes: 'hidden',
  1: 'hidden',
  false: 'shown',
  no: 'shown',
  0: 'shown',
}

/**
 * Makes the function that turns one table's rows into reviews. Everything that is the same for all rows is decided here.
 *
 * @param number the table's place among those of the import, from 0
 * @param options with `dayFirst` settled: how slash dates are read
 */
export function rowMapper(
  table: Table,
  number: number,
  plan: ColumnPlan,
  options: ImportOptions & { dayFirst: boolean },
  observer: RowObserver,
): (raw: RawRow) => RowResult {
  const { profile } = plan
  const own = profile.name === 'pullquote'
  const defused = own && table.format === 'csv'
  const fromSpreadsheet = table.format === 'csv'
  const repair = options.repairEncoding === true
  const column = (field: Field) => plan.fields[field] ?? []
  const [texts, dates, ratings, authors, ids] = [
    column('text'),
    column('date'),
    column('rating'),
    column('author'),
    column('id'),
  ]
  const [links, avatars, languages, sources] = [column('url'), column('avatar'), column('language'), column('source')]
  const [statuses, translations] = [column('status'), column('translation')]
  const [readLink, readLanguage] = own ? [asItIs, asItIs] : [parseLink, parseLanguage]
  const statusWords = statusWordsOf(table, statuses, profile.statuses)
  const metadataColumns = plan.metadata.map(({ index, key }) => ({
    index,
    key,
    escaped: table.headers[index]?.startsWith('metadata.') ?? false,
  }))

  /** The first filled cell of a field: trimmed, but for our own export, which comes back as it was. */
  const cell = (cells: string[], columns: readonly number[]): string => {
    for (const index of columns) {
      const value = cells[index]
      if (value === undefined || value === '') continue
      const plain = defused ? restore(value) : value
      const found = own ? plain : plain.trim()
      if (found !== '') return found
    }
    return ''
  }

  const mend = (value: string, line: number): string => {
    if (!looksDoubleEncoded(value)) return value
    if (!repair) {
      observer.note('double_encoded', line)
      return value
    }
    observer.note('repaired', line)
    return repairEncoding(value)
  }

  return ({ line, cells, fault }) => {
    if (fault) return { ok: false, fault }
    const status = cell(cells, statuses)
    let hidden = false
    if (status !== '') {
      const visibility = statusWords.get(status.toLowerCase()) ?? visibilityOf(status)
      if (visibility === 'spam' && profile.statuses?.[status.toLowerCase()] === 'spam')
        return skipped('spam', `is marked ${shown(status)} by the vendor`)
      hidden = visibility === 'hidden' || visibility === 'spam'
      if (visibility === undefined && profile.columns.status) {
        // Better hidden by mistake than shown by mistake: an owner can show it with one command.
        hidden = true
        observer.note('unknown_status', line, status)
      }
    }

    const written = cell(cells, texts)
    const ratingCell = cell(cells, ratings)
    if (written === '')
      return ratingCell === ''
        ? skipped('no_text', 'has no text')
        : skipped('rating_only', 'is a rating without a text')
    if (SPREADSHEET_ERROR.test(written))
      return skipped('spreadsheet_error', `has ${shown(written)} for a text: take the text from the original export`)

    const dateCell = cell(cells, dates)
    let occurredAt = plainTimestamp(dateCell)
    if (occurredAt === undefined) {
      const date = parseDate(dateCell, options.dayFirst)
      if (date.slash) observer.slashDate(date.slash)
      if (!date.ok) return skipped(dateCell === '' ? 'no_date' : 'bad_date', date.message)
      occurredAt = date.value.toISOString()
    }

    const rating = parseRating(profile.ratings?.[ratingCell.toLowerCase()] ?? ratingCell)
    if (!rating.ok) return skipped('bad_rating', rating.message)

    let source = options.source ?? profile.source
    const metadata: [string, string][] = []
    const keep = (key: string, value: string) => {
      if (metadata.length >= METADATA.entries || value.length > METADATA.valueLength)
        observer.note('metadata_cut', line, key)
      if (metadata.length < METADATA.entries) metadata.push([key, cut(value)])
    }
    const sourceName = cell(cells, sources)
    if (options.source === undefined && sourceName !== '') {
      const known = sourceOf(sourceName)
      source = known ?? 'custom'
      if (!known) {
        observer.note('unknown_source', line, sourceName)
        keep('source_name', sourceName)
      }
    }

    const opened = own || !written.includes('(Translated by Google)') ? { text: written } : openTranslation(written)
    if (opened.text === '') return skipped('rating_only', 'holds an empty translation only')
    if (opened.text.includes('\ufffd')) observer.note('damaged_text', line)
    const author = cell(cells, authors) || ANONYMOUS

    let id = cell(cells, ids)
    if (fromSpreadsheet && isMangledId(id))
      return skipped(
        'mangled_id',
        `has the id ${shown(id)}, which a spreadsheet rounded: import the original file, or leave the ids out with --map id=`,
      )
    // Before the repair, so that importing again with --repair-encoding updates the same reviews.
    if (id === '') id = stableId({ source, author, day: occurredAt.slice(0, 10), text: opened.text })

    const language = optional(cell(cells, languages), readLanguage, 'language_left_out', line, observer)
    const url = optional(cell(cells, links), readLink, 'link_left_out', line, observer)
    const avatar = optional(cell(cells, avatars), readLink, 'link_left_out', line, observer)
    const translation = opened.translation ?? cell(cells, translations)
    if (translation !== '' && translation !== opened.text) keep('translation', mend(translation, line))
    for (const { index, key, escaped } of metadataColumns) {
      const value = metadataOf(cells[index] ?? '', { escaped, defused, own })
      if (value !== undefined) keep(key, mend(value, line))
    }

    const input: Record<string, unknown> = {
      external_id: id,
      source,
      rating: rating.value,
      text: mend(opened.text, line),
      author_name: mend(author, line),
      occurred_at: occurredAt,
    }
    if (avatar !== undefined) input.author_avatar_url = avatar
    if (url !== undefined) input.url = url
    if (language !== undefined) input.language = language
    // Object.fromEntries makes own properties of "__proto__" and its like.
    if (metadata.length > 0) input.metadata = Object.fromEntries(metadata)
    const checked = validate(reviewInput, input)
    if (checked.ok) return { ok: true, row: { review: checked.value, hidden, table: number, line } }
    return skipped('invalid', checked.details.map((detail) => `${detail.path} ${detail.message}`).join('; '))
  }
}

function skipped(reason: SkipReason, message: string): RowResult {
  return { ok: false, fault: { reason, message } }
}

function statusWordsOf(
  table: Table,
  columns: readonly number[],
  words: Readonly<Record<string, Visibility>> | undefined,
) {
  if (words) return new Map(Object.entries(words))
  const hides = columns.some((index) => FLAG_THAT_HIDES.has(normaliseHeader(table.headers[index] ?? '')))
  return new Map(hides ? Object.entries(HIDES) : [])
}

/** An optional value that is left out, with a note, when it can't be read: no reason to lose the review. */
function optional(
  value: string,
  parse: (value: string) => string | undefined,
  note: Note,
  line: number,
  observer: RowObserver,
): string | undefined {
  if (value === '') return undefined
  const parsed = parse(value)
  if (parsed === undefined) observer.note(note, line, value)
  return parsed
}

function asItIs(value: string): string {
  return value
}

function metadataOf(cell: string, form: { escaped: boolean; defused: boolean; own: boolean }): string | undefined {
  if (cell === '') return undefined
  const plain = form.defused ? restore(cell) : cell
  if (form.escaped) return metadataValue(plain)
  return form.own ? plain : plain.trim() || undefined
}

function cut(value: string): string {
  if (value.length <= METADATA.valueLength) return value
  return `${value.slice(0, METADATA.valueLength - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
