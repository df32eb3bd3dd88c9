/** One page of a list ordered by creation time, then id. */
export interface ListPage {
  /** Maximum number of items; default all. */
  limit?: number | undefined
  /** Where the previous page ended, so that insertions and deletions before it shift nothing. */
  after?: { at: Date; id: string } | undefined
}

/** Where a page of such a list ended. `at` may be null for reviews: those without a date come last. */
export interface ListPosition {
  at: Date | null
  id: string
}
