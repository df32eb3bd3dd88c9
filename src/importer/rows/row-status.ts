import { parseVisibility, type Visibility } from '../fields/status.ts'
import type { ImportFormat } from '../formats/format.ts'
import { normaliseHeader } from '../read/headers.ts'
import type { Table } from '../read/table.ts'

/** What a row's status asks for: `spam` is left out; `unknown` is a word without a meaning where the format has one. */
export type RowStatus = 'shown' | 'hidden' | 'spam' | 'unknown'
export type StatusReader = (cell: string) => RowStatus

const FLAGS_THAT_HIDE = new Set(['hidden', 'ishidden'])
const HIDES: Record<string, Visibility> = {
  true: 'hidden',
  yes: 'hidden',
  1: 'hidden',
  false: 'shown',
  no: 'shown',
  0: 'shown',
}

/** Makes the function that reads the status cells of one table. */
export function statusReader(table: Table, columns: readonly number[], format: ImportFormat): StatusReader {
  const words = wordsOf(table, columns, format)
  return (cell) => {
    const word = cell.toLowerCase()
    const visibility = words.get(word) ?? parseVisibility(cell)
    if (visibility === undefined) return format.columns.status ? 'unknown' : 'shown'
    // Only where the format itself marks spam is such a row left out.
    if (visibility === 'spam') return format.statuses?.[word] === 'spam' ? 'spam' : 'hidden'
    return visibility
  }
}

function wordsOf(table: Table, columns: readonly number[], { statuses }: ImportFormat): Map<string, Visibility> {
  if (statuses) return new Map(Object.entries(statuses))
  const hides = columns.some((index) => FLAGS_THAT_HIDE.has(normaliseHeader(table.headers[index] ?? '')))
  return new Map(hides ? Object.entries(HIDES) : [])
}
