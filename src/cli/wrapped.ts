import wrapAnsi from 'wrap-ansi'

/** Text in lines of at most `columns` (a pipe has no edge), each after `indent` spaces. A longer word stays whole. */
export function wrapped(text: string, columns: number, indent = 0): string {
  const lines = Number.isFinite(columns) ? wrapAnsi(text, columns - indent) : text
  return lines.replace(/^/gm, ' '.repeat(indent))
}
