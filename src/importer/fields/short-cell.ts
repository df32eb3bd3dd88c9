/** Longer than any date, rating or language name; a reviewer can make a cell as long as the file. */
const LONGEST = 100

/**
 * Prepares a cell for regular expressions: trimmed, with white space collapsed, so that no pattern backtracks over the
 * ways to split a run.
 *
 * @returns undefined for a cell that is too long to be a value
 */
export function shortCell(cell: string): string | undefined {
  const value = cell.trim()
  return value.length > LONGEST ? undefined : value.replace(/\s+/g, ' ')
}

const DIGITS = '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹๐๑๒๓๔๕๖๗๘๙०१२३४५६७८९'
const DIGIT = new RegExp(`[${DIGITS}]`, 'g')

/** Replaces Arabic, Persian, Thai and Hindi digits. */
export function withAsciiDigits(text: string): string {
  return text.replace(DIGIT, (digit) => String(DIGITS.indexOf(digit) % 10))
}

/** Normalizes a word for comparison: `Août.` as `aout`, Turkish ı as i. The point stays in `1.5`, not to make it 15. */
export function normalizeWord(word: string): string {
  return word
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u0653-\u0655]|\.(?!\d)/g, '')
    .toLowerCase()
    .replaceAll('ı', 'i')
}
