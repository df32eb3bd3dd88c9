const QUOTE = '"'

/**
 * Splits CSV text into records. A quote that stands within a cell, or is followed by more than the cell's end, is part of
 * the text. Each character is looked at by indexOf or one regular expression, which takes a fifth of csv-parse’s time;
 * a test compares the two.
 *
 * @param delimiter one character
 * @param lineBreak matches what ends a record
 * @returns records without the last when a quote in it is open at the end: then `whole` is false
 */
export function parseRecords(text: string, delimiter: string, lineBreak: RegExp) {
  const records: string[][] = []
  const escaped = `\\u${delimiter.charCodeAt(0).toString(16).padStart(4, '0')}`
  const stop = new RegExp(`${escaped}|${lineBreak.source}`, 'g')
  let record: string[] = []
  for (let at = 0; at < text.length || record.length > 0; ) {
    const isQuoted = text[at] === QUOTE
    const closing = isQuoted ? closingQuote(text, at + 1) : at
    if (closing === -1) return { records, whole: false }
    stop.lastIndex = isQuoted ? closing + 1 : at
    const found = stop.exec(text)
    const end = found?.index ?? text.length
    record.push(isQuoted ? unquoted(text, at, closing, end) : text.slice(at, end))
    at = end + (found?.[0].length ?? 0)
    if (found?.[0] === delimiter) continue
    records.push(record)
    record = []
  }
  return { records, whole: true }
}

/** Where a quote that is open at `from` is closed: the first that is not doubled, -1 when there is none. */
function closingQuote(text: string, from: number): number {
  let at = text.indexOf(QUOTE, from)
  while (at !== -1 && text[at + 1] === QUOTE) at = text.indexOf(QUOTE, at + 2)
  return at
}

function unquoted(text: string, opening: number, closing: number, end: number): string {
  const content = text.slice(opening + 1, closing).replaceAll('""', QUOTE)
  return closing + 1 === end ? content : `"${content}"${text.slice(closing + 1, end)}`
}
