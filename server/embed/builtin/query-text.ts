/** What the tokenizer takes for an emoji. */
const PICTURES = /[\u2600-\u27bf\u{1f300}-\u{1faff}]\ufe0f?/gu
/** "01 Breakfast", "02. Our rooms": the number of a section. Others may be part of the topic ("2 Schlafzimmer", "1. Klasse"). */
const SECTION = /^\s*0\d[.):]?\s+/

/** A text without its pictures, unless it has nothing else. */
export function withoutPictures(text: string): string {
  const words = text.replace(PICTURES, ' ')
  return words === text || /[\p{L}\p{N}]/u.test(words) ? words : text
}

/**
 * What a query asks for: a heading without its pictures and the number of its section, which a vector of few words consists of by
 * half, and which no review has. A query of nothing else stays as it is.
 */
export function queryText(query: string): string {
  const words = query.replace(PICTURES, ' ').replace(SECTION, '')
  return /[\p{L}\p{N}]/u.test(words) ? words : query
}
