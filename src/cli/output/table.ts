import stringWidth from 'string-width'
import type { Terminal } from './terminal.ts'
import { nameInLine, padEnd, truncate } from './text.ts'
import { wrap } from './wrap.ts'

export interface Column<T> {
  heading: string
  value: (row: T) => string
  /** Shrinks when the window is narrow; other columns keep their width. */
  flexible?: boolean
  align?: 'right'
}

const GAP = 2

/**
 * Formats rows as a table that fits the window, or as one block of lines per row when the window is too narrow. In a
 * pipe: no heading, columns separated by tabs and nothing truncated, for `cut` and `awk`.
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
        const text = nameInLine(truncate(value, width))
        if (columns[i]?.align === 'right') return ' '.repeat(Math.max(0, width - stringWidth(text))) + text
        return i === values.length - 1 ? text : padEnd(text, width)
      })
      .join(' '.repeat(GAP))
  const heading = terminal.style.dim(line(columns.map((column) => column.heading)))
  return [heading, ...cells.map(line)].join('\n')
}

/** Each row as lines of `HEADING value` with wrapped values, and a blank line between rows. */
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
