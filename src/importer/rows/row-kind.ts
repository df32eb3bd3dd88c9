import type { ColumnPlan } from '../formats/column-plan.ts'
import { normaliseHeader } from '../read/headers.ts'
import { quoted } from '../skip-reasons.ts'

/** Makes the function that tells why a row of a table is no review of a customer, such as an answer of the shop. */
export function rowKindReader(
  headers: readonly string[],
  { format }: ColumnPlan,
): (cells: readonly string[]) => string | undefined {
  const rules = Object.entries(format.only ?? {}).flatMap(([name, values]) => {
    const index = headers.findIndex((header) => normaliseHeader(header) === normaliseHeader(name))
    return index === -1 ? [] : [{ index, values }]
  })
  return (cells) => {
    const other = rules.find(({ index, values }) => !values.includes((cells[index] ?? '').trim().toLowerCase()))
    return other && `is no review of a customer: ${quoted(`${headers[other.index]}=${cells[other.index]}`)}`
  }
}
