/** No date, rating or name of a language is longer; whoever writes a review can make a cell as long as the file. */
const LONGEST = 100

/**
 * A cell that is about to meet patterns: trimmed, with each run of white space as one blank, so that no pattern can try
 * the many ways to share out a run.
 *
 * @returns undefined for a cell that is too long to be a value
 */
export function shortCell(cell: string): string | undefined {
  const value = cell.trim()
  return value.length > LONGEST ? undefined : value.replace(/\s+/g, ' ')
}

/** A word as it is compared: `Août.` as `aout`; the Turkish ı as i. The point of `1.5` stays, which would make it 15. */
export function normalizeWord(word: string): string {
  return word
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]|\.(?!\d)/g, '')
    .toLowerCase()
    .replaceAll('ı', 'i')
}
