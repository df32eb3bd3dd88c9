import { idInLink } from '../fields/external-id.ts'
import type { RawRow } from '../read/table.ts'
import { filledCells, isPlausibleColumn } from './column-content.ts'
import type { Fields } from './field-columns.ts'

/** The column of links that name the ids of the reviews, in a file without a column of ids. */
export function linksWithIds({ id, url }: Fields, sample: readonly RawRow[]): number | undefined {
  const column = url?.[0]
  // An errors.csv names the links as its ids.
  if (column === undefined || (id !== undefined && id[0] !== column)) return undefined
  const links = new Set(filledCells(sample, column))
  const ids = [...links].map(idInLink)
  // One that several share is that of their product or survey.
  const areIds = links.size > 0 && !ids.includes(undefined) && new Set(ids).size === links.size
  return areIds && isPlausibleColumn('id', sample, column) ? column : undefined
}
