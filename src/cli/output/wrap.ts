import stringWidth from 'string-width'
import wrapAnsi from 'wrap-ansi'
import { fastWidth } from './fast-width.ts'
import type { Terminal } from './terminal.ts'
import { padEnd } from './text.ts'

/** Scripts without spaces between words. */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/**
 * Wraps text to lines of at most `columns` (infinite for a pipe), indented by `indent`. A longer word is only broken in a
 * text in Chinese, Japanese, Thai and the like, where a "word" is a whole sentence.
 */
export function wrap(text: string, columns: number, indent = 0): string {
  const lines = fits(text, columns - indent) ? text : wrapAnsi(text, columns - indent, { hard: UNSPACED.test(text) })
  return lines.replace(/^/gm, ' '.repeat(indent))
}

/** Whether the text surely fits, by a quick check; for the rest there is wrap-ansi, which is slow to load. */
function fits(text: string, columns: number): boolean {
  if (!Number.isFinite(columns)) return true
  const width = fastWidth(text)
  return width !== undefined && width <= columns && text === text.trim()
}

/** Wraps a line of a report with a hanging indent of two columns. */
export function wrapHanging(line: string, columns: number): string {
  const indent = line.length - line.trimStart().length
  return wrap(line.trim(), columns, indent + 2).slice(2)
}

/** A command at the end of a line, after a colon. */
const COMMAND = /(?<=: )(?:pullquote|mkdir|chmod) /

/**
 * Like `wrap`, but keeps a command at the end of the text whole, so that it can be copied: when it does not fit, it goes
 * on its own line, indented by `commandIndent`.
 */
export function wrapHint(text: string, columns: number, indent = 0, commandIndent = indent): string {
  const at = text.search(COMMAND)
  if (at === -1 || indent + text.length <= columns) return wrap(text, columns, indent)
  return `${wrap(text.slice(0, at).trimEnd(), columns, indent)}\n${' '.repeat(commandIndent)}${text.slice(at)}`
}

/** A hint of an error, wrapped to the window. */
export function hintLines(hint: string, { isFirst, columns }: { isFirst: boolean; columns: number }): string[] {
  const lead = isFirst ? '  Try: ' : '    or '
  return (lead + wrapHint(hint, columns, lead.length).slice(lead.length)).split('\n')
}

/**
 * Lines of `name  value` with aligned, wrapped values. A value with a word too long for its column, such as an id in a
 * narrow window, goes below its name. Fields with a null value are omitted.
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
    return `${margin}${style.dim(padEnd(name, widest))}  ${wrap(value, columns, column).slice(column)}`
  })
}
