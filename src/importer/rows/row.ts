import type { ReviewInput, Source } from '../../contract/review.ts'
import { parseDateTime } from '../../contract/timestamp.ts'
import { parseDate, plainTimestamp, type SlashOrder } from '../fields/date.ts'
import { isMangledId, stableId } from '../fields/external-id.ts'
import { decodeHtml, type HtmlTraces, htmlTraces } from '../fields/html.ts'
import { parseLanguage } from '../fields/language.ts'
import { parseLink } from '../fields/link.ts'
import { looksDoubleEncoded, repairEncoding } from '../fields/mojibake.ts'
import { parseRating } from '../fields/rating.ts'
import { isBareRating, otherScaleMessage } from '../fields/rating-scale.ts'
import { parseSource } from '../fields/source.ts'
import { type SplitTranslation, splitTranslation } from '../fields/translation.ts'
import type { ColumnPlan } from '../formats/column-plan.ts'
import type { Field, ImportOptions } from '../formats/mapping.ts'
import type { RawRow, Table } from '../read/table.ts'
import { quoted, type RowFault, type SkipReason } from '../skip-reasons.ts'
import { unescapeFormula } from '../write/csv.ts'
import { addMetadata, metadataColumnsOf } from './row-metadata.ts'
import { statusReader } from './row-status.ts'
import type { TableConventions } from './table-pass.ts'
import { validateReview } from './validate-review.ts'

/** What was noticed about a row that is imported all the same. Counted, and told once an import. */
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

/** A row ready to be pushed. */
export interface ImportRow {
  review: ReviewInput
  /** Hidden in the vendor's export, so hidden here too. */
  hidden: boolean
  /** The number of its table among those of the import, from 0. */
  table: number
  line: number
  /** Of a date that can be read in both ways: what it takes to read it the other way. */
  ambiguousDate?: AmbiguousDate
}

export interface AmbiguousDate {
  cell: string
  /** What the id is made of beside the day, when it is made. */
  id?: { source: Source; author: string; text: string }
}

export interface RowObserver {
  note(note: RowNote, line: number, example?: string): void
  /** @param language the row's cell for it */
  slashDate(order: SlashOrder, line: number, cell: string, language: string): void
  text(traces: HtmlTraces | undefined): void
  rating(cell: string, line: number): void
}

/** What is settled for a whole file before its rows are read. */
export interface SettledOptions extends ImportOptions {
  dayFirst: boolean
  decodeHtml: boolean
  otherScale?: TableConventions['otherScale']
  /** Notes texts that look like HTML and are left as they are. */
  noteHtml?: boolean
}

export type RowResult = { ok: true; row: ImportRow } | { ok: false; fault: RowFault }

/** A row's date, and its UTC day as `YYYY-MM-DD`. */
interface RowDate {
  at: Date
  day: string
  ambiguous?: AmbiguousDate
}

const ANONYMOUS = 'Anonymous'
const SPREADSHEET_ERROR = /^#(?:NAME\?|VALUE!|REF!|N\/A|DIV\/0!|NUM!|NULL!|ERROR!|SPILL!)$/i

/**
 * Makes the function that turns one table's rows into reviews. Everything that is the same for all rows is decided here.
 *
 * @param number the table's place among those of the import, from 0
 */
export function rowMapper(
  table: Table,
  number: number,
  plan: ColumnPlan,
  options: SettledOptions,
  observer: RowObserver,
): (raw: RawRow) => RowResult {
  const { format } = plan
  const own = format.name === 'pullquote'
  const fromSpreadsheet = table.fileType === 'csv'
  const defused = own && fromSpreadsheet
  const column = (field: Field) => plan.fields[field] ?? []
  const columns = {
    text: column('text'),
    date: column('date'),
    rating: column('rating'),
    author: column('author'),
    id: column('id'),
    url: column('url'),
    avatar: column('avatar'),
    language: column('language'),
    source: column('source'),
    status: column('status'),
    translation: column('translation'),
  }
  const [readLink, readLanguage] = own ? [asItIs, asItIs] : [parseLink, parseLanguage]
  const statusOf = statusReader(table, columns.status, format)
  const metadataColumns = metadataColumnsOf(table, plan, { own, defused })

  /** The first filled cell of a field: trimmed, but for our own export, which comes back as it was. */
  const cell = (cells: string[], indexes: readonly number[]): string => {
    for (const index of indexes) {
      const value = cells[index]
      if (value === undefined || value === '') continue
      const plain = defused ? unescapeFormula(value) : value
      const found = own ? plain : plain.trim()
      if (found !== '') return found
    }
    return ''
  }

  const mend = (value: string, line: number): string => {
    if (!looksDoubleEncoded(value)) return value
    observer.note(options.repairEncoding === true ? 'repaired' : 'double_encoded', line)
    return options.repairEncoding === true ? repairEncoding(value) : value
  }

  /** An optional value that is left out, with a note, when it can't be read: no reason to lose the review. */
  const optional = (
    value: string,
    read: (value: string) => string | undefined,
    note: RowNote,
    line: number,
  ): string | undefined => {
    if (value === '') return undefined
    const found = read(value)
    if (found === undefined) observer.note(note, line, value)
    return found
  }

  const dateOf = (cells: string[], line: number): RowDate | RowFault => {
    const written = cell(cells, columns.date)
    const plain = plainTimestamp(written)
    const at = plain === undefined ? undefined : parseDateTime(plain)
    if (at) return { at, day: written.slice(0, 10) }
    const date = parseDate(written, options.dayFirst)
    if (date.slash) observer.slashDate(date.slash, line, written, cell(cells, columns.language))
    if (date.ok) {
      const unclear = date.slash === 'either' ? { cell: written } : undefined
      return { at: date.value, day: date.value.toISOString().slice(0, 10), ...(unclear && { ambiguous: unclear }) }
    }
    return { reason: written === '' ? 'no_date' : 'bad_date', message: date.message }
  }

  const keep = (metadata: [string, string][], key: string, value: string, line: number) => {
    if (!addMetadata(metadata, key, value)) observer.note('metadata_cut', line, key)
  }

  const platformOf = (cells: string[], metadata: [string, string][], line: number): Source => {
    if (options.source !== undefined) return options.source
    const name = cell(cells, columns.source)
    if (name === '') return format.source
    const known = parseSource(name)
    if (known) return known
    observer.note('unknown_source', line, name)
    keep(metadata, 'source_name', name, line)
    return 'custom'
  }

  return ({ line, cells, fault }) => {
    if (fault) return { ok: false, fault }
    // Before anything else, since the dates of rows that are skipped tell the file's order too.
    const date = dateOf(cells, line)
    const statusCell = cell(cells, columns.status)
    const status = statusCell === '' ? 'shown' : statusOf(statusCell)
    if (status === 'spam') return skipped('spam', `is marked ${quoted(statusCell)} by the vendor`)
    // Better hidden by mistake than shown by mistake: an owner can show it with one command.
    if (status === 'unknown') observer.note('unknown_status', line, statusCell)

    const written = cell(cells, columns.text)
    const writtenRating = cell(cells, columns.rating)
    const ratingCell = format.ratings?.[writtenRating.toLowerCase()] ?? writtenRating
    observer.rating(ratingCell, line)
    if (written === '')
      return ratingCell === ''
        ? skipped('no_text', 'has no text')
        : skipped('rating_only', 'is a rating without a text')
    if (SPREADSHEET_ERROR.test(written))
      return skipped('spreadsheet_error', `has ${quoted(written)} for a text: take the text from the original export`)

    const traces = own ? undefined : htmlTraces(written)
    observer.text(traces)
    if ('reason' in date) return { ok: false, fault: date }

    const rating = parseRating(ratingCell)
    if (!rating.ok) return skipped('bad_rating', rating.message)
    if (rating.value !== null && options.otherScale && isBareRating(ratingCell))
      return skipped('bad_rating', otherScaleMessage(ratingCell, options.otherScale))

    const metadata: [string, string][] = []
    const source = platformOf(cells, metadata, line)
    const opened: SplitTranslation = own ? { text: written } : splitTranslation(written)
    if (opened.text === '') return skipped('rating_only', 'holds an empty translation only')
    if (opened.translationOnly) observer.note('translation_only', line)
    if (opened.text.includes('\ufffd')) observer.note('damaged_text', line)
    const author = cell(cells, columns.author) || ANONYMOUS

    let id = cell(cells, columns.id)
    if (fromSpreadsheet && isMangledId(id))
      return skipped(
        'mangled_id',
        `has the id ${quoted(id)}, which a spreadsheet rounded: import the original file, or leave the ids out with --map id=`,
      )
    // Before the repair, so that importing again with --repair-encoding updates the same reviews.
    const made = id === '' ? { source, author, text: opened.text } : undefined
    if (made) id = stableId({ ...made, day: date.day })
    // After the id, so that what was imported before it was decoded is the same review.
    const decode = options.decodeHtml && !own ? decodeHtml : asItIs
    const text = decode(opened.text)
    if (text === '') return skipped('no_text', `has ${quoted(opened.text)} for a text, which is a blank`)
    if (text !== opened.text) observer.note('html_decoded', line)
    else if (traces && (traces.strong || traces.weak || traces.lineBreak) && options.noteHtml)
      observer.note('html_left', line)

    const language = optional(cell(cells, columns.language), readLanguage, 'language_left_out', line)
    const url = optional(cell(cells, columns.url), readLink, 'link_left_out', line)
    const avatar = optional(cell(cells, columns.avatar), readLink, 'link_left_out', line)
    const translation = opened.translation ?? cell(cells, columns.translation)
    if (translation !== '' && translation !== opened.text)
      keep(metadata, 'translation', mend(decode(translation), line), line)
    for (const { index, key, read } of metadataColumns) {
      const value = read(cells[index] ?? '')
      if (value !== undefined) keep(metadata, key, mend(decode(value), line), line)
    }

    const review: ReviewInput = {
      external_id: id,
      source,
      rating: rating.value,
      text: mend(text, line),
      author_name: mend(decode(author) || ANONYMOUS, line),
      occurred_at: date.at,
    }
    if (avatar !== undefined) review.author_avatar_url = avatar
    if (url !== undefined) review.url = url
    if (language !== undefined) review.language = language
    // Object.fromEntries makes own properties of "__proto__" and its like.
    if (metadata.length > 0) review.metadata = Object.fromEntries(metadata)
    const checked = validateReview(review)
    if (checked.ok) {
      const row: ImportRow = { review: checked.value, hidden: status !== 'shown', table: number, line }
      if (date.ambiguous) row.ambiguousDate = made ? { ...date.ambiguous, id: made } : date.ambiguous
      return { ok: true, row }
    }
    return skipped('invalid', checked.details.map((detail) => `${detail.path} ${detail.message}`).join('; '))
  }
}

function skipped(reason: SkipReason, message: string): RowResult {
  return { ok: false, fault: { reason, message } }
}

function asItIs(value: string): string {
  return value
}
