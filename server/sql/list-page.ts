/** Part of a list that goes by the moment at which things were made, and their ids. */
export interface ListPage {
  /** At most so many; all unless given. */
  limit?: number | undefined
  /** Where the part before it ended, so that what comes or goes ahead of it moves nothing. */
  after?: { at: Date; id: string } | undefined
}
