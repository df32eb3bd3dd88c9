const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g

/** Quotes a cell for a message: one line, at most 40 characters, of which none is half a pair. */
export function quoted(value: string): string {
  const line = value.trim().slice(0, 400).replace(/\s+/g, ' ').replace(CONTROLS, '')
  const short = line.length > 40 ? `${line.slice(0, 39)}…` : line
  return `"${short.toWellFormed()}"`
}
