const [LF, CR, SPACE, QUOTE, BACKSLASH] = [0x0a, 0x0d, 0x20, 0x22, 0x5c]

/**
 * Converts CSV whose quotes are escaped with backslashes (`"She said \"wow\""`) to doubled quotes. MySQL, Spark and
 * hand-written exporters produce it; MySQL also escapes line breaks and PHP's addslashes apostrophes. Other files are
 * returned unchanged: in them a backslash is a literal character.
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
 * The extents of unquoted cells that contain escaped quotes, as Python writes them. Undefined unless some cell
 * continues after an escaped quote and every other quote inside a quoted cell ends that cell.
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
