/** Content widths in em between which a grid changes from one column to three, page margins included. */
const NARROW = 23.4
const WIDE = 62.5
/** A card and the gap below it in em, in a narrow column and in one of three; measured with the demo's samples. */
const NARROW_CARD = 21
const WIDE_CARD = 22
const FOOT = 3

/**
 * A CSS length for approximately this many cards, wide or narrow, before they are there. At most the window's height, below
 * which no movement is visible. `data-reserve="auto"` releases the excess.
 */
export function reservedHeight(cards: number): string {
  const wide = Math.ceil(cards / 3) * WIDE_CARD + FOOT
  const narrow = cards * NARROW_CARD + FOOT
  const slope = (narrow - wide) / (WIDE - NARROW)
  if (slope <= 0) return `min(100vh, ${wide}em)`
  const at = Math.round(narrow + slope * NARROW)
  return `min(100vh, max(${wide}em, ${at}em - ${Math.round(slope * 100)}vw))`
}
