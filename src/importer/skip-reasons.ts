/** Why a row was skipped. Codes are stable and are the keys of the result's `reasons`. */
export const SKIP_REASONS = {
  rating_only: 'a rating without text',
  no_text: 'no text',
  no_date: 'no date',
  bad_date: 'a date that could not be read',
  bad_rating: 'a rating that could not be read',
  mangled_id: 'an id that a spreadsheet rewrote',
  spreadsheet_error: 'a text that a spreadsheet replaced with an error',
  ragged: 'more or fewer cells than the header',
  quote_not_closed: 'a quote that is never closed',
  bad_json: 'a line that is not JSON',
  not_an_object: 'an item that is not an object',
  invalid: 'a value that is not accepted',
  spam: 'marked as spam by the vendor',
  not_a_review: 'not a customer review',
} as const

/** Reasons that correcting the file would not change. */
export const NOT_CORRECTABLE: ReadonlySet<string> = new Set<keyof typeof SKIP_REASONS>([
  'rating_only',
  'spam',
  'not_a_review',
])

export type SkipReason = keyof typeof SKIP_REASONS

/** Why a row is faulty: the reason and a sentence for the person who corrects it. */
export interface RowFault {
  reason: SkipReason
  message: string
  /** Cells beyond the table's columns. */
  surplus?: string
}
