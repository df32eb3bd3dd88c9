const [LF, CR, QUOTE] = [0x0a, 0x0d, 0x22]

/** Where the rows of a file end. */
interface RowEnds {
  /** The byte that ends its lines, of which a cell may have some. */
  lineBreak: number
  /** What ends a row. */
  ends: string[]
}

/**
 * How rows end, outside quotes: with a bare CR, as spreadsheets of the Macintosh write them with a LF in their cells; or with
 * CR and LF alone where a bare LF stands in cells without quotes, as SQL Server's tools write. Elsewhere each LF ends a row.
 */
export function rowEnds(bytes: Buffer, delimiter: string): RowEnds {
  const { crlf, lf, cr, isEven } = countEnds(bytes, delimiter.charCodeAt(0))
  if (!bytes.includes(LF) || (cr > 0 && crlf === 0 && lf === 0)) return { lineBreak: CR, ends: ['\r'] }
  if (crlf > 0 && lf > 0 && isEven) return { lineBreak: LF, ends: ['\r\n'] }
  return { lineBreak: LF, ends: bytes.includes('\r\n') ? ['\r\n', '\n'] : ['\n'] }
}

/** Line breaks outside quotes, and whether all rows have as many cells where only CR and LF end them. */
function countEnds(bytes: Buffer, delimiter: number) {
  const counts = { crlf: 0, lf: 0, cr: 0, isEven: true }
  let [cells, width] = [1, 0]
  let isQuoted = false
  let isStart = true
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (isQuoted) {
      if (byte === QUOTE && bytes[at + 1] === QUOTE) at++
      else if (byte === QUOTE) isQuoted = false
      continue
    }
    isQuoted = isStart && byte === QUOTE
    isStart = byte === delimiter
    if (isStart) cells++
    else if (byte === CR && bytes[at + 1] === LF) {
      at++
      counts.crlf++
      isStart = true
      // A title, or an empty line, is no row.
      if (cells > 1) width ||= cells
      if (cells > 1 && cells !== width) counts.isEven = false
      cells = 1
    } else if (byte === CR) {
      counts.cr++
      isStart = true
    } else if (byte === LF && at < bytes.length - 1) {
      counts.lf++
      // Most files end their rows so; nothing else is to be learned of them.
      if (counts.crlf === 0) break
    }
  }
  if (cells > 1 && cells !== width) counts.isEven = false
  return counts
}
