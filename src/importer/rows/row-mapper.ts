import type { ReviewInput, Source } from '../../contract/review.ts'
import { isApproximateDate } from '../fields/approximate-date.ts'
import { ANONYMOUS } from '../fields/author.ts'
import { isMangledId, isMissingId, stableId } from '../fields/external-id.ts'
import { HtmlEvidence, htmlTraces } from '../fields/html.ts'
import { parseLanguage } from '../fields/language.ts'
import { parseLink, withoutSecrets } from '../fields/link.ts'
import { isAutomatic } from '../fields/page-words.ts'
import { parseRating } from '../fields/rating.ts'
import { bareRating, otherScaleMessage, RatingScale } from '../fields/rating-scale.ts'
import { parseSource } from '../fields/source.ts'
import { isSpreadsheetError } from '../fields/spreadsheet-error.ts'
import type { OpenedText } from '../fields/translation.ts'
import type { ColumnPlan } from '../formats/column-plan.ts'
import type { Field, ImportOptions } from '../formats/mapping.ts'
import { quoted } from '../quoted.ts'
import { isSpreadsheet, type RawRow, type Table } from '../read/table.ts'
import { SlashDateCounter } from './date-order.ts'
import {
  type AmbiguousDate,
  type ImportRow,
  type RowDraft,
  type RowResult,
  skipped,
  type TableConventions,
} from './row.ts'
import { addFormer, authorReader } from './row-author.ts'
import { type CellReader, cellReader, textReader } from './row-cells.ts'
import { rowDateReader } from './row-date.ts'
import { rowKindReader } from './row-kind.ts'
import { addMetadata, type MetadataColumn, metadataColumnsOf } from './row-metadata.ts'
import { ratingReader } from './row-rating.ts'
import { hiddenWordsOf, rowStatusReader, STATUS_NOTES, visibilityOf } from './row-status.ts'
import { RowText } from './row-text.ts'
import { validateReview } from './validate-review.ts'
import { type RowNote, RowNotes } from './warnings.ts'

const AUTOMATIC = 'has a text that the platform wrote ("This is an automated posting")'

/** Maps a table's rows to reviews. Everything that is the same for all rows is decided in the constructor. */
export class RowMapper {
  /** Evidence from each row, including skipped ones, about the whole file. */
  readonly notes = new RowNotes()
  readonly slashDates: SlashDateCounter
  readonly html = new HtmlEvidence()
  readonly scale = new RatingScale()
  readonly #tableNumber: number
  readonly #plan: ColumnPlan
  readonly #options: ImportOptions
  readonly #conventions: TableConventions
  readonly #isOwn: boolean
  readonly #isSpreadsheet: boolean
  readonly #isErrorsCsv: boolean
  readonly #cell: CellReader
  readonly #textOf: (cells: string[]) => string
  readonly #texts: RowText
  readonly #dateOf: ReturnType<typeof rowDateReader>
  readonly #statusOf: ReturnType<typeof rowStatusReader>
  readonly #ratingOf: ReturnType<typeof ratingReader>
  readonly #authorOf: ReturnType<typeof authorReader>
  readonly #otherKind: ReturnType<typeof rowKindReader>
  readonly #metadata: readonly MetadataColumn[]

  /** @param tableNumber the table's index in the import */
  constructor(
    table: Table,
    tableNumber: number,
    plan: ColumnPlan,
    options: ImportOptions,
    conventions: TableConventions,
  ) {
    this.#tableNumber = tableNumber
    this.#plan = plan
    this.#options = options
    this.#conventions = conventions
    this.#isOwn = plan.format.isOwnExport === true
    this.#cell = cellReader(table, plan)
    this.slashDates = new SlashDateCounter(table, plan)
    this.#dateOf = rowDateReader(this.#cell, plan, options, conventions, this.slashDates)
    this.#textOf = textReader(this.#cell, plan)
    this.#isSpreadsheet = isSpreadsheet(table.fileType)
    this.#isErrorsCsv = table.isErrorsCsv === true
    this.#texts = new RowText({
      isOwn: this.#isOwn,
      hasFormulaGuards: this.#isSpreadsheet && !this.#isErrorsCsv,
      decodesHtml: conventions.decodeHtml,
      options,
      note: (note, line) => this.#note(note, line),
    })
    this.#statusOf = rowStatusReader(table.headers, plan)
    this.#ratingOf = ratingReader(plan)
    this.#authorOf = authorReader(plan)
    this.#otherKind = rowKindReader(table.headers, plan)
    this.#metadata = metadataColumnsOf(table, plan, this.#isOwn)
  }

  map({ line, cells, fault }: RawRow): RowResult {
    if (fault) return { ok: false, fault }
    // First, because the dates of skipped rows also tell the file's order.
    const date = this.#dateOf(cells, line)
    const said = this.#statusOf(cells)
    if (said.status === 'spam') return skipped('spam', `was marked as ${quoted(said.cell)} by the vendor`)
    const otherKind = this.#otherKind(cells)
    if (otherKind !== undefined) return skipped('not_a_review', otherKind)
    // Hidden rows of our own export need no note.
    if (said.status !== 'shown' && !(this.#isOwn && said.status === 'hidden'))
      this.#note(STATUS_NOTES[said.status], line, said.cell)
    const text = this.#textOf(cells)
    // A line of totals has neither, and its sum is no rating.
    const ratingCell = this.#ratingCell(cells, line, text !== '' || !('reason' in date))
    if (text === '' && ratingCell === '') return skipped('no_text', 'has no text')
    if (text === '') return skipped('rating_only', 'is a rating without text')
    if (!this.#isOwn && isAutomatic(text)) return skipped('not_a_review', AUTOMATIC)
    if (isSpreadsheetError(text))
      return skipped('spreadsheet_error', `has ${quoted(text)} as its text: take it from the original export`)
    const traces = this.#isOwn ? undefined : htmlTraces(text)
    this.html.add(traces)
    if ('reason' in date) {
      const written = this.#cell(cells, 'date')
      if (this.#options.as_of === undefined && isApproximateDate(written)) this.#note('no_day', line, written)
      return { ok: false, fault: date }
    }
    const rating = parseRating(ratingCell)
    const { otherScale } = this.#conventions
    if (otherScale && bareRating(ratingCell) !== undefined && !(rating.ok && rating.value === null))
      return skipped('bad_rating', otherScaleMessage(this.#cell(cells, 'rating'), otherScale))
    if (!rating.ok) return skipped('bad_rating', rating.message)
    return this.#toReview({ line, cells, date, rating: rating.value, text, traces, ...visibilityOf(said, this.#plan) })
  }

  #toReview(draft: RowDraft): RowResult {
    const { line, cells, date, rating, traces } = draft
    const metadata = Object.entries(this.#options.set_metadata ?? {})
    if (date.mark) this.#noteApproximate(date.mark, metadata, line)
    const source = this.#readSource(cells, metadata, line)
    const opened = this.#texts.open(draft.text, line)
    if (opened.text === '') return skipped('rating_only', 'has only an empty translation')
    const author = this.#cell(cells, 'author') || ANONYMOUS
    const idCell = this.#cell(cells, 'id')
    const vendorId = !this.#isOwn && isMissingId(idCell) ? '' : idCell
    if (this.#isSpreadsheet && isMangledId(vendorId))
      return skipped(
        'mangled_id',
        `has the id ${quoted(vendorId)}, which a spreadsheet rounded: import the original file, or leave the ids out with --map id=`,
      )
    // Before the repair, so that a second import with --repair-encoding updates the same reviews.
    const madeOf = vendorId === '' ? { source, author, text: opened.idText } : undefined
    const id = madeOf ? stableId({ ...madeOf, day: date.day }) : (this.#plan.format.idPrefix ?? '') + vendorId
    // After the id, so that reviews imported before they were decoded keep theirs; and so is the author.
    const { text, kept } = this.#texts.clean(opened.text, traces, line)
    if (text === '') return skipped('no_text', `has the blank text ${quoted(opened.text)}`)
    for (const { note, key, value } of kept) {
      this.#note(note, line)
      this.#keep(metadata, key, value, line)
    }
    const language = this.#optional(cells, 'language', parseLanguage, 'language_left_out', line)
    const named = this.#authorOf(this.#texts.decode(author), cells)
    if (named.note) this.#note(named.note, line)
    const url = this.#link(cells, line)
    const avatar = this.#optional(cells, 'avatar', parseLink, 'link_left_out', line)
    this.#keepColumns(metadata, opened, cells, line)
    const review: ReviewInput = {
      external_id: id,
      source,
      rating,
      text: this.#texts.repair(text, line),
      author_name: this.#texts.repair(named.name || ANONYMOUS, line),
      occurred_at: date.at,
    }
    if (avatar !== undefined && !named.isAnonymous) review.author_avatar_url = avatar
    if (url !== undefined) review.url = url
    if (language !== undefined) review.language = language
    // Object.fromEntries creates own properties even for "__proto__".
    if (metadata.length > 0) review.metadata = Object.fromEntries(metadata)
    return this.#toRow(review, draft, madeOf)
  }

  #toRow(review: ReviewInput, draft: RowDraft, madeOf: AmbiguousDate['id']): RowResult {
    const { line, cells, date, hidden, visibility } = draft
    const checked = validateReview(review)
    if (!checked.ok)
      return skipped('invalid', checked.details.map((detail) => `${detail.path} ${detail.message}`).join('; '))
    const row: ImportRow = { review: checked.value, hidden, visibility, table: this.#tableNumber, line }
    addFormer(row, madeOf, this.#plan, cells)
    if (date.mark) row.isApproximate = true
    if (this.#isErrorsCsv) row.isFromErrorsCsv = true
    if (this.#isOwn) row.hiddenWords = hiddenWordsOf(this.#cell(cells, 'hidden_words'))
    if (date.ambiguous)
      row.ambiguousDate = madeOf && date.day !== undefined ? { ...date.ambiguous, id: madeOf } : date.ambiguous
    return { ok: true, row }
  }

  #noteApproximate([key, value]: [string, string], metadata: [string, string][], line: number): void {
    this.#keep(metadata, key, value, line)
    if (key === 'date_given') this.#note('given_date', line)
    else this.#note('counted_date', line, value)
  }

  #ratingCell(cells: string[], line: number, isOfReview: boolean): string {
    const cell = this.#ratingOf(this.#cell(cells, 'rating'), cells)
    // Skipped rows often have ratings beyond any scale, and the original file has determined it already.
    const isGiven = this.#options.rating_scale !== undefined
    if (isOfReview && (!this.#isErrorsCsv || !isGiven)) this.scale.add(cell, line, isGiven)
    return cell
  }

  #readSource(cells: string[], metadata: [string, string][], line: number): Source {
    if (this.#options.source !== undefined) return this.#options.source
    const name = this.#cell(cells, 'source')
    if (name === '') return this.#plan.format.source
    const known = parseSource(name)
    if (known) return known
    this.#note('unknown_source', line, name)
    this.#keep(metadata, 'source_name', name, line)
    return 'custom'
  }

  /** An optional value; when unreadable it is left out with a note, and the review is kept. */
  #optional(cells: string[], field: Field, parse: (cell: string) => string | undefined, note: RowNote, line: number) {
    const cell = this.#cell(cells, field)
    if (cell === '') return undefined
    const value = this.#isOwn ? cell : parse(cell)
    if (value === undefined) this.#note(note, line, cell)
    return value
  }

  #link(cells: string[], line: number): string | undefined {
    const page = this.#optional(cells, 'url', parseLink, 'link_left_out', line)
    if (page === undefined || this.#isOwn) return page
    const url = withoutSecrets(page)
    if (url !== page) this.#note('link_cut', line)
    return url
  }

  /** Keeps the translation, and the columns that are wanted as metadata. */
  #keepColumns(metadata: [string, string][], opened: OpenedText, cells: string[], line: number): void {
    const plain = (value: string) => this.#texts.repair(this.#texts.decode(value), line)
    const translation = opened.translation ?? this.#cell(cells, 'translation')
    if (translation !== '' && translation !== opened.text) this.#keep(metadata, 'translation', plain(translation), line)
    for (const { index, key, read } of this.#metadata) {
      const value = read(cells[index] ?? '')
      if (value !== undefined) this.#keep(metadata, key, plain(value), line)
    }
  }

  #keep(metadata: [string, string][], key: string, value: string, line: number): void {
    if (!addMetadata(metadata, key, value)) this.#note('metadata_cut', line, key)
  }

  #note(note: RowNote, line: number, example?: string): void {
    this.notes.add(note, this.#tableNumber, line, example)
  }
}
