/** `★★★★☆`, or `unrated`, five columns or more. */
export function stars(rating: number | null): string {
  if (rating === null) return 'unrated'
  return '★'.repeat(rating) + '☆'.repeat(5 - rating)
}

const SOURCE_NAMES: Record<string, string> = {
  google: 'Google',
  yelp: 'Yelp',
  facebook: 'Facebook',
  trustpilot: 'Trustpilot',
  custom: 'custom',
}

export function sourceName(source: string): string {
  return SOURCE_NAMES[source] ?? source
}
