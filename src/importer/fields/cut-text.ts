const CUT =
  /(?:…|\.{3})\s*(?:(?:read |see |show )?more|mehr(?: anzeigen| lesen)?|plus|lire la suite|ver más|leer más|(?:ler )?mais|selengkapnya|lainnya|altro|meer|daha fazla|ещё|もっと見る|更多)?$/i
/** A button that pages show after a shortened text, or keep hidden after any. */
const BUTTON = /(?:read|see|show) ?more$/i
/** Short texts are not shortened. */
const LEAST = 80
const LONGEST_TAIL = 40

/** Whether a text ends as if it had been cut short; some authors end theirs so. */
export function looksTruncated(text: string): boolean {
  const tail = text.slice(-LONGEST_TAIL)
  return BUTTON.test(tail) || (text.length >= LEAST && CUT.test(tail))
}
