import { isReplyLabel } from '../fields/reply-signs.ts'
import type { ColumnPlan } from '../formats/column-plan.ts'
import { quoted } from '../quoted.ts'

/** Creates a reader of why a row is not a customer's review, such as a shop's reply; undefined for a review. */
export function rowKindReader(headers: readonly string[], { kinds, fields, format }: ColumnPlan) {
  const authors = format.isOwnExport ? [] : (fields.author ?? []).map((index) => ({ index, isOther: isReplyLabel }))
  const signs = [...kinds, ...authors]
  return (cells: readonly string[]): string | undefined => {
    const other = signs.find(({ index, isOther }) => isOther((cells[index] ?? '').trim(), cells))
    return other && `is not a customer review: ${quoted(`${headers[other.index]}=${cells[other.index]}`)}`
  }
}
