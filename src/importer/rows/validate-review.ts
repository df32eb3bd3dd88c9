import * as v from 'valibot'
import { AUTHOR_NAME_LENGTH, EXTERNAL_ID_LENGTH, REVIEW_TEXT_LENGTH } from '../../contract/limits.ts'
import { metadata } from '../../contract/metadata.ts'
import { type ReviewInput, reviewInput } from '../../contract/review.ts'
import { isStorable, languageTag, uri } from '../../contract/text.ts'
import { type Validated, validate } from '../../contract/validate.ts'

/**
 * Validates a review that the importer built; source, rating and date are valid by construction. Nearly every row
 * passes the fast check, which takes a fraction of the schema's time; the schema reports what is wrong with any other.
 */
export function validateReview(review: ReviewInput): Validated<ReviewInput> {
  if (isPlainlyValid(review)) return { ok: true, value: review }
  return validate(reviewInput, { ...review, occurred_at: review.occurred_at.toISOString() })
}

function isPlainlyValid(review: ReviewInput): boolean {
  const { text, author_avatar_url: avatar, url, language, metadata: entries } = review
  return (
    fits(text, REVIEW_TEXT_LENGTH) &&
    text.trim() === text &&
    fits(review.external_id, EXTERNAL_ID_LENGTH) &&
    fits(review.author_name, AUTHOR_NAME_LENGTH) &&
    (avatar === undefined || v.is(uri, avatar)) &&
    (url === undefined || v.is(uri, url)) &&
    (language === undefined || v.is(languageTag, language)) &&
    (entries === undefined || v.is(metadata, entries))
  )
}

function fits(value: string, length: number): boolean {
  return value.length > 0 && value.length <= length && isStorable(value)
}
