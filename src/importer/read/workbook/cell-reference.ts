/** First and last row number. */
export type Span = [first: number, last: number]

/** The rows of a range: 2 to 5 for `B2:B5`. */
export function rowsOf(range: string): Span {
  const [first = 0, last = first] = Array.from(range.matchAll(/\d+/g), Number)
  return [first, last]
}

/** The column of a cell reference, from 0: `B7` is in 1. */
export function columnOf(reference: string): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0]
  if (letters === undefined) return undefined
  return [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0) - 1
}
