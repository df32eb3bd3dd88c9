import stringWidth from 'string-width'
import type { Terminal } from './terminal.ts'
import { wrap } from './wrap.ts'

/**
 * Lines of `name  value`, the values below each other and wrapped between words. A value with a word that has no room there,
 * as an id in a narrow window, stands below its name.
 */
export function fieldLines(
  fields: readonly (readonly [name: string, value: string])[],
  { columns, style }: Terminal,
  indent = 0,
): string[] {
  const widest = Math.max(...fields.map(([name]) => stringWidth(name)))
  const column = indent + widest + 2
  const margin = ' '.repeat(indent)
  return fields.map(([name, value]) => {
    const longest = Math.max(...value.split(/\s+/).map((word) => stringWidth(word)))
    if (longest > columns - column) return `${margin}${style.dim(name)}\n${wrap(value, columns, indent + 2)}`
    return `${margin}${style.dim(name.padEnd(widest))}  ${wrap(value, columns, column).slice(column)}`
  })
}
