const TAGS = /<[^>]{1,20}>|\\n|\r/g
const BREAKS =
  /(?<=[.!?])["')\]]*\s+(?=[A-Z0-9"'(])|(?<=[a-z][.!?])(?=[A-Z][a-z])|(?<=[a-z]{2}[.!?]{2})\s+|\n+|\s+\.\.\.+\s+/
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', '#39': "'" }

/** Review text without markup. */
export function plain(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos|nbsp|#39);/g, (_, name: string) => ENTITIES[name] ?? ' ').replace(TAGS, ' ')
}

/** Splits a review into sentences; reviews often forget the space after a full stop. */
export function sentences(text: string): string[] {
  return text
    .split(BREAKS)
    .map((part) => part.trim())
    .filter((part) => part.length > 2)
}
