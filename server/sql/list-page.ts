/** One page of a list that is ordered by creation time, then id. */
export interface ListPage {
  /** Maximum number of items; all by default. */
  limit?: number | undefined
  /** Where the part before it ended, so that what comes or goes ahead of it moves nothing. */
  after?: { at: Date; id: string } | undefined
}

/** Where a page of such a list ended. Of reviews it may be null: those without a date stand last. */
export interface ListPosition {
  at: Date | null
  id: string
}
