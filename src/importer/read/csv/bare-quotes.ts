/**
 * Splits a row whose quoted cells contain undoubled quotes (`"They "love" it, too"`), as MySQL without an escape
 * character and programs that merely wrap texts in quotes write them: a quote ends a cell only before a delimiter.
 * Undefined for a well-formed row, and unless at least two cells are quoted.
 *
 * @param written the row as it stands in the file
 */
export function cellsByOuterQuotes(written: string, delimiter: string): string[] | undefined {
  const row = written.replace(/[\r\n]{1,2}$/, '')
  if (isWellQuoted(row, delimiter)) return undefined
  const cells: string[] = []
  let enclosed = 0
  let hasMore = true
  for (let at = 0; at <= row.length; ) {
    const end = hasMore && row[at] === '"' ? closing(row, at + 1, delimiter) : -1
    if (end !== -1) {
      enclosed++
      cells.push(row.slice(at + 1, end))
      at = end + 2
    } else {
      hasMore &&= row[at] !== '"'
      const next = row.indexOf(delimiter, at)
      cells.push(row.slice(at, next === -1 ? undefined : next))
      at = next === -1 ? row.length + 1 : next + 1
    }
  }
  return enclosed > 1 ? cells : undefined
}

/** Whether every quote inside a quoted cell is doubled. */
function isWellQuoted(row: string, delimiter: string): boolean {
  for (let at = 0; at < row.length; at++) {
    if (row[at] === '"') {
      do at = row.indexOf('"', at + 1) + 1
      while (at > 0 && row[at] === '"')
      if (at === 0 || (at < row.length && row[at] !== delimiter)) return false
    } else {
      at = row.indexOf(delimiter, at)
      if (at === -1) return true
    }
  }
  return true
}

/** The first quote that ends the cell, or -1. */
function closing(row: string, from: number, delimiter: string): number {
  for (let at = row.indexOf('"', from); at !== -1; at = row.indexOf('"', at + 1)) {
    if (at + 1 === row.length || row[at + 1] === delimiter) return at
  }
  return -1
}

/** Merges two readings of a row that differ only in the quotes around cells; undefined when they differ in more. */
export function mergeQuoteReadings(cells: readonly string[], byOuterQuotes: readonly string[]): string[] | undefined {
  const found: string[] = []
  for (const [index, cell] of cells.entries()) {
    const other = byOuterQuotes[index] ?? ''
    // Backslash and quote may be an escape, so the cell is ambiguous.
    const isBare = cell === `"${other}"` && !other.includes('\\"')
    if (!isBare && cell !== other && cell !== other.replaceAll('""', '"')) return undefined
    found.push(isBare ? other : cell)
  }
  return found
}
