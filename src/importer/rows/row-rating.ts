import { bareRating, toFiveStars } from '../fields/rating-scale.ts'
import type { ColumnPlan } from '../formats/column-plan.ts'

/** Creates a reader that converts ratings on a known scale to ratings out of 5. */
export function ratingReader({ format, ratingScale, ratingWords, isZeroWorst, scaleColumn }: ColumnPlan) {
  return (written: string, cells: readonly string[]): string => {
    const word = format.ratings?.[written.toLowerCase()] ?? ratingWords?.get(written.toLowerCase())
    if (word !== undefined) return word
    if (isZeroWorst && /^0(?:[.,]0+)?$/.test(written)) return '1'
    if (ratingScale !== undefined) return toFiveStars(written, ratingScale)
    const best = scaleColumn === undefined ? '' : (cells[scaleColumn] ?? '').trim()
    const scale = bareRating(best) ?? 0
    return scale > 5 ? toFiveStars(written, scale) : written
  }
}
