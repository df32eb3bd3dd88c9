const CUT =
  /(?:…|\.{3})\s*(?:(?:read |see |show )?more|mehr(?: anzeigen| lesen)?|plus|lire la suite|ver más|leer más|(?:ler )?mais|selengkapnya|lainnya|altro|meer|daha fazla|ещё|もっと見る|更多)?$/i
/** What a page shows behind a text that it cut, or keeps hidden behind any. */
const BUTTON = /(?:read|see|show) ?more$/i
/** Nobody cuts a short text. */
const LEAST = 80
const LONGEST_TAIL = 40

/** Whether a text ends as one that was cut short; some people end theirs so. */
export function looksCut(text: string): boolean {
  const tail = text.slice(-LONGEST_TAIL)
  return BUTTON.test(tail) || (text.length >= LEAST && CUT.test(tail))
}
