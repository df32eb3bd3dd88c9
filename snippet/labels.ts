/**
 * Words by primary language subtag, separated by `|`: the text alternative of the stars (`#` is their number), the button of
 * a long review, and what links say to screen readers. A page may add its own; missing ones are English. Other languages are
 * fetched from the server on demand.
 */
export const labels: Record<string, string | undefined> = {
  en: '# out of 5 stars|Read more|opens in a new tab',
}
