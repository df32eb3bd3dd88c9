/**
 * The line below the reviews that says which are shown, for the least number of stars; nothing where all are. Reviews
 * without stars stand beside the others unless they were classified as negative.
 */
export function ratingNote(lowest: number): string | undefined {
  if (lowest <= 1) return undefined
  return `Showing reviews of ${lowest} stars${lowest < 5 ? ' and more' : ''}, and unrated ones that are not negative`
}
