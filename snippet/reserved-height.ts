/** Content widths in em between which a grid goes from one column to three, margins of the page included. */
const NARROW = 23.4
const WIDE = 62.5
/** A card and the gap below it in em, in a narrow column and in one of three; measured with the samples of the demo. */
const NARROW_CARD = 21
const WIDE_CARD = 22
const FOOT = 3

/**
 * A CSS length that so many cards take about, wide or narrow, before they are there. Never more than the window's height:
 * what is below it cannot be seen to move. `data-reserve="auto"` gives back what was too much.
 */
export function reservedHeight(cards: number): string {
  const wide = Math.ceil(cards / 3) * WIDE_CARD + FOOT
  const narrow = cards * NARROW_CARD + FOOT
  const slope = (narrow - wide) / (WIDE - NARROW)
  if (slope <= 0) return `min(100vh, ${wide}em)`
  const at = Math.round(narrow + slope * NARROW)
  return `min(100vh, max(${wide}em, ${at}em - ${Math.round(slope * 100)}vw))`
}
