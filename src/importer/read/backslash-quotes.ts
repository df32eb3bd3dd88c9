const [LF, CR, SPACE, QUOTE, BACKSLASH] = [0x0a, 0x0d, 0x20, 0x22, 0x5c]

/**
 * CSV with the quotes of its texts doubled, of CSV that has backslashes before them (`"She said \"wow\""`), as MySQL, Spark
 * and hand-made writers have it; MySQL has one before line breaks, PHP's addslashes before apostrophes, too. Other files stay as they are: there a backslash stands for itself.
 */
export function doubleEscapedQuotes(bytes: Buffer, delimiter: string): Buffer {
  const bare = bytes.includes('\\"') ? bareCells(bytes, delimiter.charCodeAt(0)) : undefined
  if (!bare) return bytes
  const text = bytes.toString('latin1')
  const doubled = (from: number, to?: number) =>
    text.slice(from, to).replace(/\\(["'\\\n])/g, (_, one) => (one === '"' ? '""' : one))
  const parts: string[] = []
  let at = 0
  for (const [start, end] of bare) {
    parts.push(doubled(at, start), `"${doubled(start, end)}"`)
    at = end
  }
  return Buffer.from(parts.join('') + doubled(at), 'latin1')
}

/**
 * Where the cells begin and end that hold such quotes and stand in none, as Python writes them. Undefined unless a cell goes on
 * behind such a quote, and each other quote within a quoted cell ends it.
 */
function bareCells(bytes: Buffer, delimiter: number): [start: number, end: number][] | undefined {
  const endsCell = (byte: number | undefined) => byte === undefined || byte === delimiter || byte === LF || byte === CR
  const bare: [number, number][] = []
  let [start, isBare] = [0, false]
  let isQuoted = false
  let isStart = true
  let goesOn = false
  for (let at = 0; at <= bytes.length; at++) {
    const byte = bytes[at]
    if (isQuoted && byte === BACKSLASH) {
      at++
      const next = bytes[at + 1]
      if (bytes[at] === QUOTE && next !== QUOTE && !endsCell(next)) goesOn = true
    } else if (isQuoted && byte === QUOTE) {
      if (!endsCell(bytes[at + 1])) return undefined
      isQuoted = false
    } else if (!isQuoted) {
      if (byte === BACKSLASH && bytes[at + 1] === QUOTE) isBare = goesOn = true
      if (endsCell(byte)) {
        if (isBare) bare.push([start, at])
        start = at + 1
        isBare = false
      }
      isQuoted = isStart && byte === QUOTE
      isStart = endsCell(byte) || (isStart && byte === SPACE)
    }
  }
  return goesOn && !isQuoted ? bare : undefined
}
