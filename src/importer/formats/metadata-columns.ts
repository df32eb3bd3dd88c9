import { metadataKey, normalizeHeader } from '../read/headers.ts'
import type { Table } from '../read/table.ts'
import { isFamilyName, isPersonal } from './excluded-headers.ts'
import { type Fields, findColumn } from './field-columns.ts'
import type { ImportFormat } from './format.ts'
import type { ImportOptions } from './mapping.ts'

/** A column kept as metadata, with a unique key. */
export interface MetadataPlan {
  index: number
  key: string
}

/**
 * The columns to keep as metadata: those that the user names, or the format's, or all that are not assigned to a field.
 *
 * @throws ImporterError `unknown_column`
 */
export function metadataColumns(
  table: Table,
  format: ImportFormat,
  fields: Fields,
  choice: ImportOptions['metadata'],
): MetadataPlan[] {
  const { headers } = table
  if (format.isOwnExport) {
    const prefix = 'metadata.'
    return withUniqueKeys(
      headers.flatMap((header, index) =>
        header.startsWith(prefix) ? [{ index, key: header.slice(prefix.length) }] : [],
      ),
    )
  }
  const keys = new Map(Object.entries(format.metadata ?? {}).map(([name, key]) => [normalizeHeader(name), key]))
  const isTitle = (index: number) => fields.title?.includes(index) ?? false
  const keyOf = (index: number) => {
    const header = headers[index] ?? ''
    return isTitle(index) ? 'title' : (keys.get(normalizeHeader(header)) ?? metadataKey(header))
  }
  const mapped = new Set(Object.entries(fields).flatMap(([field, indexes]) => (field === 'title' ? [] : indexes)))
  const isKept = (header: string, index: number) => {
    if (mapped.has(index)) return false
    return (
      keys.has(normalizeHeader(header)) ||
      isTitle(index) ||
      (choice === 'all' && !isPersonal(header) && !isFamilyName(header, headers))
    )
  }
  const chosen = Array.isArray(choice)
    ? choice.map((name) => findColumn(name, table))
    : headers.flatMap((header, index) => (choice !== 'none' && isKept(header, index) ? [index] : []))
  return withUniqueKeys(chosen.map((index) => ({ index, key: keyOf(index) })))
}

function withUniqueKeys(columns: readonly MetadataPlan[]): MetadataPlan[] {
  const taken = new Set<string>()
  return columns.map(({ index, key }) => {
    let unique = key
    for (let count = 2; taken.has(unique); count++) unique = `${key.slice(0, 60)}_${count}`
    taken.add(unique)
    return { index, key: unique }
  })
}
