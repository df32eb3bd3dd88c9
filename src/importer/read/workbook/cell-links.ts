import { parseXml } from '../xml/xml.ts'
import { columnOf, rowsOf } from './cell-reference.ts'

/** A cell whose words lead somewhere, by its row's number and its column from 0. */
export interface CellLink {
  line: number
  column: number
  /** Id of the relationship that has the address. */
  relation?: string
  address?: string
}

const ADDRESS = /^https?:\/\//i
/** A formula of an address and perhaps words, as files store it in every language. */
const FORMULA = /^HYPERLINK\("(https?:\/\/[^"]{1,2000})"[,)]/i

/** Whether a cell shows an address. */
export function isAddress(cell: string): boolean {
  return ADDRESS.test(cell)
}

/** The address of `HYPERLINK("https://…","View")`; undefined for one that is made from other cells. */
export function addressOfFormula(formula: string): string | undefined {
  return FORMULA.exec(formula.trim())?.[1]
}

/**
 * What a `hyperlink` element links: one cell. A link of several leads to no single review.
 *
 * @param reference its `ref`
 * @param attributes its others; the relationship's id is in the one called `id`, whatever its namespace's prefix
 */
export function linkOf(reference: string, attributes: Record<string, string>): CellLink[] {
  const relation = Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1]
  const column = columnOf(reference)
  const [line, last] = rowsOf(reference)
  if (relation === undefined || column === undefined || last !== line) return []
  return [{ line, column, relation }]
}

/** The addresses outside the workbook in a sheet's relationships, by id. */
export function externalAddresses(file: string, xml: Uint8Array): Map<string, string> {
  const addresses = new Map<string, string>()
  parseXml(file, xml, {
    open: (_, { Id, Target = '', TargetMode }) => {
      if (Id && TargetMode === 'External' && isAddress(Target)) addresses.set(Id, Target)
    },
  })
  return addresses
}
