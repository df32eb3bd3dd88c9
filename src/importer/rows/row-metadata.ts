import { METADATA } from '../../contract/limits.ts'
import { isSpreadsheetError } from '../fields/spreadsheet-error.ts'
import { isUnset } from '../fields/unset.ts'
import type { ColumnPlan } from '../formats/column-plan.ts'
import { unescapeFormula, unescapeMetadata } from '../read/cell-escape.ts'
import { isSpreadsheet, type Table } from '../read/table.ts'

/** A column kept as metadata, and how its cells are read. */
export interface MetadataColumn {
  index: number
  key: string
  /** Undefined for an empty cell. */
  read: (cell: string) => string | undefined
}

/** The metadata columns of a table. Cells are trimmed, except in our own export. */
export function metadataColumnsOf(table: Table, plan: ColumnPlan, isOwn: boolean): MetadataColumn[] {
  const plain = isOwn && isSpreadsheet(table.fileType) ? unescapeFormula : (cell: string) => cell
  const trimmed = (cell: string) => (isSpreadsheetError(cell) || isUnset(cell) ? undefined : cell.trim() || undefined)
  return plan.metadata.map(({ index, key }) => {
    const isEscaped = table.headers[index]?.startsWith('metadata.') ?? false
    const value = isEscaped ? (cell: string) => unescapeMetadata(plain(cell)) : isOwn ? plain : trimmed
    return { index, key, read: (cell) => (cell === '' ? undefined : value(cell)) }
  })
}

/**
 * Adds an entry within the contract's limits.
 *
 * @returns false when the entry was dropped or truncated
 */
export function addMetadata(entries: [string, string][], key: string, value: string): boolean {
  if (entries.length >= METADATA.entries) return false
  entries.push([key, cut(value)])
  return value.length <= METADATA.valueLength
}

function cut(value: string): string {
  if (value.length <= METADATA.valueLength) return value
  return `${value.slice(0, METADATA.valueLength - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
