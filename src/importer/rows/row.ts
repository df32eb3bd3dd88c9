import type { ReviewInput, Source } from '../../contract/review.ts'
import type { SlashOrder } from '../fields/date.ts'
import type { HtmlTraces } from '../fields/html.ts'
import type { RowFault } from '../skip-reasons.ts'
import type { RowNote } from './row-notes.ts'

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

export type RowResult = { ok: true; row: ImportRow } | { ok: false; fault: RowFault }

/** What holds for all rows of a file; it takes all of them to tell. */
export interface TableConventions {
  /** How slash dates are read. */
  dayFirst: boolean
  /** Texts hold HTML codes that stand for their characters. */
  decodeHtml: boolean
  /** A rating beyond 5, of a file whose bare numbers are of another scale. */
  otherScale: { cell: string; line: number } | undefined
}

/** Told what each row says about the whole file, the rows that are skipped included. */
export interface RowObserver {
  note(note: RowNote, line: number, example?: string): void
  /** @param language the row's cell for it */
  slashDate(order: SlashOrder, line: number, cell: string, language: string): void
  text(traces: HtmlTraces | undefined): void
  rating(cell: string, line: number): void
}
