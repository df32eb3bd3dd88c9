const [LF, CR, SPACE, QUOTE, BACKSLASH] = [0x0a, 0x0d, 0x20, 0x22, 0x5c]

/**
 * CSV with the quotes of its texts doubled, of CSV that has backslashes before them (`"She said \"wow\""`), as MySQL, Spark
 * and hand-made writers have it; MySQL has one before line breaks, too. Other files stay as they are: there a backslash stands for itself.
 */
export function doubleEscapedQuotes(bytes: Buffer, delimiter: string): Buffer {
  if (!bytes.includes('\\"') || !hasEscapedQuotes(bytes, delimiter.charCodeAt(0))) return bytes
  const doubled = bytes.toString('latin1').replace(/\\(["\\\n])/g, (_, one) => (one === '"' ? '""' : one))
  return Buffer.from(doubled, 'latin1')
}

/** Whether a cell goes on behind such a quote, and each other quote within a quoted cell ends it. */
function hasEscapedQuotes(bytes: Buffer, delimiter: number): boolean {
  const endsCell = (byte: number | undefined) => byte === undefined || byte === delimiter || byte === LF || byte === CR
  let isQuoted = false
  let isStart = true
  let goesOn = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (isQuoted && byte === BACKSLASH) {
      at++
      const next = bytes[at + 1]
      if (bytes[at] === QUOTE && next !== QUOTE && !endsCell(next)) goesOn = true
    } else if (isQuoted && byte === QUOTE) {
      if (!endsCell(bytes[at + 1])) return false
      isQuoted = false
    } else if (!isQuoted) {
      isQuoted = isStart && byte === QUOTE
      isStart = endsCell(byte) || (isStart && byte === SPACE)
    }
  }
  return goesOn && !isQuoted
}
