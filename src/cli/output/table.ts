import stringWidth from 'string-width'
import type { Terminal } from './terminal.ts'
import { padEnd, truncate } from './text.ts'
import { wrap } from './wrap.ts'

export interface Column<T> {
  heading: string
  value: (row: T) => string
  /** Gives way when the window is narrow; the others keep their width. */
  flexible?: boolean
  align?: 'right'
}

const GAP = 2

/**
 * Rows as a table that fits the window; where it is too narrow for the columns, each row as lines of its own. In a pipe: no heading, columns separated by tabs and nothing cut, so that
 * `cut` and `awk` can read it.
 */
export function table<T>(rows: readonly T[], columns: readonly Column<T>[], terminal: Terminal): string {
  const cells = rows.map((row) => columns.map((column) => column.value(row)))
  if (!terminal.interactive) return cells.map((row) => row.join('\t')).join('\n')
  const widths = columns.map((column, i) =>
    Math.max(stringWidth(column.heading), ...cells.map((row) => stringWidth(row[i] ?? ''))),
  )
  const total = widths.reduce((sum, width) => sum + width, 0) + GAP * (columns.length - 1)
  let excess = total - terminal.columns
  columns.forEach((column, i) => {
    if (excess <= 0 || !column.flexible) return
    const width = widths[i] ?? 0
    const cut = Math.min(excess, Math.max(0, width - 8))
    widths[i] = width - cut
    excess -= cut
  })
  if (excess > 0) return records(cells, columns, terminal)
  const line = (values: readonly string[]) =>
    values
      .map((value, i) => {
        const width = widths[i] ?? 0
        const text = truncate(value, width)
        if (columns[i]?.align === 'right') return ' '.repeat(Math.max(0, width - stringWidth(text))) + text
        return i === values.length - 1 ? text : padEnd(text, width)
      })
      .join(' '.repeat(GAP))
  const heading = terminal.style.dim(line(columns.map((column) => column.heading)))
  return [heading, ...cells.map(line)].join('\n')
}

/** Each row as lines of `HEADING value`, a blank line between two rows. Values go on in the next line, between words. */
function records<T>(cells: readonly string[][], columns: readonly Column<T>[], terminal: Terminal): string {
  const widest = Math.max(...columns.map(({ heading }) => stringWidth(heading)))
  const room = Math.max(12, terminal.columns - widest - GAP)
  const indent = ' '.repeat(widest + GAP)
  const shown = cells.map((row) =>
    columns.flatMap(({ heading }, i) => {
      const value = row[i] ?? ''
      if (value === '') return []
      const lines = wrap(value, room).split('\n').join(`\n${indent}`)
      return [`${terminal.style.dim(padEnd(heading, widest))}${' '.repeat(GAP)}${lines}`]
    }),
  )
  return shown.map((lines) => lines.join('\n')).join('\n\n')
}
