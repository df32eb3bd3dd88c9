import stringWidth from 'string-width'
import wrapAnsi from 'wrap-ansi'
import { fastWidth } from './fast-width.ts'
import type { Terminal } from './terminal.ts'

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

/** A command at the end of a line, after a colon. */
const COMMAND = /(?<=: )(?:pullquote|mkdir|chmod) /

/**
 * Text in lines of at most `columns`, like `wrap`. A command at its end is copied, so that it stays whole: where it does
 * not fit behind its words it has a line of its own, after `commandIndent` spaces.
 */
export function wrapHint(text: string, columns: number, indent = 0, commandIndent = indent): string {
  const at = text.search(COMMAND)
  if (at === -1 || indent + text.length <= columns) return wrap(text, columns, indent)
  return `${wrap(text.slice(0, at).trimEnd(), columns, indent)}\n${' '.repeat(commandIndent)}${text.slice(at)}`
}

/** A hint, wrapped to the window. */
export function hintLines(hint: string, { isFirst, columns }: { isFirst: boolean; columns: number }): string[] {
  const lead = isFirst ? '  Try: ' : '    or '
  return (lead + wrapHint(hint, columns, lead.length).slice(lead.length)).split('\n')
}

/**
 * Lines of `name  value`, the values below each other and wrapped between words. A value with a word that has no room there,
 * as an id in a narrow window, stands below its name. A value of null is left out with its name.
 */
export function fieldLines(
  given: readonly (readonly [name: string, value: string | null])[],
  { columns, style }: Terminal,
  indent = 0,
): string[] {
  const fields = given.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
  const widest = Math.max(...fields.map(([name]) => stringWidth(name)))
  const column = indent + widest + 2
  const margin = ' '.repeat(indent)
  return fields.map(([name, value]) => {
    const longest = Math.max(...value.split(/\s+/).map((word) => stringWidth(word)))
    if (longest > columns - column) return `${margin}${style.dim(name)}\n${wrap(value, columns, indent + 2)}`
    return `${margin}${style.dim(name.padEnd(widest))}  ${wrap(value, columns, column).slice(column)}`
  })
}
