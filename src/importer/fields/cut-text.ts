const CUT =
  /(?:…|\.{3})\s*(?:(?:read |see |show )?more|mehr(?: anzeigen| lesen)?|plus|lire la suite|ver más|leer más|(?:ler )?mais|selengkapnya|lengkapnya|lainnya|altro|meer|daha fazla|devamı|ещё|więcej|více|xem thêm|อ่านต่อ|เพิ่มเติม|もっと見る|続きを読む|더보기|更多|展开|المزيد)?$/i
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
