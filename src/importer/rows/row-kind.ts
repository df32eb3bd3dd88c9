import type { ColumnPlan } from '../formats/column-plan.ts'
import { quoted } from '../quoted.ts'

/** Makes the function that tells why a row of a table is no review of a customer, such as an answer of the shop. */
export function rowKindReader(headers: readonly string[], { kinds }: ColumnPlan) {
  return (cells: readonly string[]): string | undefined => {
    const other = kinds.find(({ index, isOther }) => isOther((cells[index] ?? '').trim()))
    return other && `is no review of a customer: ${quoted(`${headers[other.index]}=${cells[other.index]}`)}`
  }
}
