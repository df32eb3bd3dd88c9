import wrapAnsi from 'wrap-ansi'
import { fastWidth } from './fast-width.ts'

/** Text in lines of at most `columns` (a pipe has no edge), each after `indent` spaces. A longer word stays whole. */
export function wrap(text: string, columns: number, indent = 0): string {
  const lines = fits(text, columns - indent) ? text : wrapAnsi(text, columns - indent)
  return lines.replace(/^/gm, ' '.repeat(indent))
}

/** Only what is seen at once: for the rest there is the package, which is loaded when it is asked. */
function fits(text: string, columns: number): boolean {
  if (!Number.isFinite(columns)) return true
  const width = fastWidth(text)
  return width !== undefined && width <= columns && text === text.trim()
}

/** A line of a report, whose further lines stand two columns deeper than its first. */
export function wrapHanging(line: string, columns: number): string {
  const indent = line.length - line.trimStart().length
  return wrap(line.trim(), columns, indent + 2).slice(2)
}
