import { METADATA } from '../../contract/limits.ts'
import { parseVisibility, type Visibility } from '../fields/status.ts'
import type { ColumnPlan } from '../formats/column-plan.ts'
import type { ImportFormat } from '../formats/format.ts'
import { unescapeFormula, unescapeMetadata } from '../read/cell-escape.ts'
import { normaliseHeader } from '../read/headers.ts'
import type { Table } from '../read/table.ts'

/** A column kept as metadata, and how its cells are read. */
export interface MetadataColumn {
  index: number
  key: string
  /** The value of a cell; undefined for an empty one. */
  read: (cell: string) => string | undefined
}

/** The metadata columns of a table. Our own export comes back as it was, anything else trimmed. */
export function metadataColumnsOf(table: Table, plan: ColumnPlan, isOwn: boolean): MetadataColumn[] {
  const plain = isOwn && table.fileType === 'csv' ? unescapeFormula : (cell: string) => cell
  const trimmed = (cell: string) => cell.trim() || undefined
  return plan.metadata.map(({ index, key }) => {
    const isEscaped = table.headers[index]?.startsWith('metadata.') ?? false
    const value = isEscaped ? (cell: string) => unescapeMetadata(plain(cell)) : isOwn ? plain : trimmed
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

/** What a row's status asks for: `spam` is left out; `unknown` is a word without a meaning where the format has one. */
export type StatusReader = (cell: string) => 'shown' | 'hidden' | 'spam' | 'unknown'

const FLAGS_THAT_HIDE = new Set(['hidden', 'ishidden'])
const HIDES = new Map<string, Visibility>([
  ...['true', 'yes', '1'].map((word) => [word, 'hidden'] as const),
  ...['false', 'no', '0'].map((word) => [word, 'shown'] as const),
])

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

function wordsOf(
  table: Table,
  columns: readonly number[],
  { statuses }: ImportFormat,
): ReadonlyMap<string, Visibility> {
  if (statuses) return new Map(Object.entries(statuses))
  const hides = columns.some((index) => FLAGS_THAT_HIDE.has(normaliseHeader(table.headers[index] ?? '')))
  return hides ? HIDES : new Map()
}
