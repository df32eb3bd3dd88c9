import { METADATA } from '../../contract/limits.ts'
import type { ColumnPlan } from '../formats/column-plan.ts'
import type { Table } from '../read/table.ts'
import { metadataValue, unescapeFormula } from '../write/csv.ts'

/** A column kept as metadata, and how its cells are read. */
export interface MetadataColumn {
  index: number
  key: string
  /** The value of a cell; undefined for an empty one. */
  read: (cell: string) => string | undefined
}

/** The metadata columns of a table. Our own export comes back as it was, anything else trimmed. */
export function metadataColumnsOf(
  table: Table,
  plan: ColumnPlan,
  { own, defused }: { own: boolean; defused: boolean },
): MetadataColumn[] {
  const plain = defused ? unescapeFormula : (cell: string) => cell
  return plan.metadata.map(({ index, key }) => {
    const escaped = table.headers[index]?.startsWith('metadata.') ?? false
    const value = escaped
      ? (cell: string) => metadataValue(plain(cell))
      : own
        ? plain
        : (cell: string) => plain(cell).trim() || undefined
    return { index, key, read: (cell) => (cell === '' ? undefined : value(cell)) }
  })
}

/** Adds an entry within the contract's limits. @returns false when something of it had to be left out */
export function addMetadata(entries: [string, string][], key: string, value: string): boolean {
  if (entries.length >= METADATA.entries) return false
  entries.push([key, cut(value)])
  return value.length <= METADATA.valueLength
}

function cut(value: string): string {
  if (value.length <= METADATA.valueLength) return value
  return `${value.slice(0, METADATA.valueLength - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
