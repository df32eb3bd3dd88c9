import { shortCell } from './short-cell.ts'

export type Visibility = 'shown' | 'hidden' | 'spam'

const SHOWN = new Set(
  'published approved active visible live ok public yes true 1 enabled displayed accepted on show shown'.split(' '),
)
const HIDDEN = new Set(
  'unpublished hidden pending rejected draft archived disabled inactive no false 0 deleted removed flagged held moderated unapproved private off trash disapproved declined blocked suspended reported hide'.split(
    ' ',
  ),
)
const SPAM = new Set(['spam', 'fraud', 'fake'])

/** What a vendor's status says about showing a review; undefined for a word with no known meaning. */
export function parseVisibility(cell: string): Visibility | undefined {
  const word = shortCell(cell)?.toLowerCase()
  if (word === undefined) return undefined
  if (word === '' || SHOWN.has(word)) return 'shown'
  if (SPAM.has(word)) return 'spam'
  return HIDDEN.has(word) ? 'hidden' : undefined
}
