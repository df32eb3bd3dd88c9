import type { Pool } from '../deps.ts'
import { refundTexts, reserveTexts } from '../sql/usage/embedding-usage.ts'
import { type PreparedReview, textsOf } from './prepare-review.ts'

/**
 * Takes the pack's texts from the daily allowance; when they do not all fit, only the reviews that do.
 * @returns the UTC day whose allowance was used, and whether it was too small for the whole pack
 */
export async function reserveAllowance(sql: Pool, pack: readonly PreparedReview[], dailyAllowance?: number) {
  const wanted = pack.reduce((sum, review) => sum + textsOf(review).length, 0)
  const { day, texts } = await reserveTexts(sql, wanted, dailyAllowance)
  if (dailyAllowance === undefined || texts === wanted) return { day, texts, reviews: pack, spent: false }
  // A review larger than a whole day's allowance would wait forever, so it gets a day to itself.
  const oversized = pack.find((review) => textsOf(review).length > dailyAllowance)
  if (oversized && texts > 0 && texts === dailyAllowance) {
    const extra = await reserveTexts(sql, textsOf(oversized).length - texts)
    return { day, texts: texts + extra.texts, reviews: [oversized], spent: true }
  }
  const reviews: PreparedReview[] = []
  let left = texts
  for (const review of pack) {
    const count = textsOf(review).length
    if (count > left) continue
    reviews.push(review)
    left -= count
  }
  await refundTexts(sql, { day, texts: left })
  return { day, texts: texts - left, reviews, spent: true }
}
