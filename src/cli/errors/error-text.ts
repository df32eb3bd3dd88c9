import { capitalize } from '../output/format.ts'
import type { Terminal } from '../output/terminal.ts'
import { oneLine, printable } from '../output/text.ts'
import { hintLines, wrap } from '../output/wrap.ts'
import type { CliError } from './cli-error.ts'

/** An error for people, with its details and what to do. */
export function errorText(failure: CliError, { style: { red, bold, dim }, columns }: Terminal): string {
  // Answering no is not an error, even though the command did nothing.
  if (failure.code === 'declined') return `${capitalize(failure.message)}.`
  // File names and column headings may contain control sequences, hence `printable`. An SQL statement to copy ends in
  // a semicolon, and a full stop after it would be copied too.
  const stop = failure.message.endsWith(';') ? '' : '.'
  const lines = [wrap(`${red(bold('Error:'))} ${printable(failure.message)}${stop}`, columns)]
  for (const { path, message } of failure.details) {
    const detail = printable(`${path === '(body)' ? '' : `${path} `}${message}`)
    // The server's message already includes its first detail.
    if (!failure.message.includes(detail)) lines.push(wrap(detail, columns, 4))
  }
  failure.hints.forEach((hint, i) => {
    lines.push(...hintLines(printable(hint), { isFirst: i === 0, columns }))
  })
  if (failure.requestId !== undefined) lines.push(dim(`  Request id: ${oneLine(failure.requestId)}`))
  return lines.join('\n')
}
