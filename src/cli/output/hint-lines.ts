import { wrap } from './wrap.ts'

/**
 * A line of what to try, as it fits the window. A command is copied, so that it stays whole: where it does not fit behind
 * its words it has a line of its own.
 */
export function hintLines(hint: string, { isFirst, columns }: { isFirst: boolean; columns: number }): string[] {
  const lead = isFirst ? '  Try: ' : '    or '
  if (lead.length + hint.length <= columns) return [lead + hint]
  const indent = lead.length
  const at = hint.search(/(?<=: )(?:pullquote|mkdir|chmod) /)
  const words = at === -1 ? hint : hint.slice(0, at).trimEnd()
  const lines = wrap(words, columns, indent).split('\n')
  return [
    lead + (lines[0] ?? '').trimStart(),
    ...lines.slice(1),
    ...(at === -1 ? [] : [' '.repeat(indent) + hint.slice(at)]),
  ]
}
