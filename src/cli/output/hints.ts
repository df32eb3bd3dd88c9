import { wrap } from './wrap.ts'

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

/** What to try, as it fits the window. */
export function hintLines(hint: string, { isFirst, columns }: { isFirst: boolean; columns: number }): string[] {
  const lead = isFirst ? '  Try: ' : '    or '
  return (lead + wrapHint(hint, columns, lead.length).slice(lead.length)).split('\n')
}
