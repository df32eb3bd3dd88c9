import type { ReviewInput } from '../../src/contract/review.ts'
import { csvLine } from '../../src/importer/write/csv.ts'
import { reviews } from '../corpus.ts'

/**
 * Made-up reviews as a CSV of at most `bytes` and `most` rows, such as a shop might have; some with accents and a quoted line break.
 * Without `ids` the importer makes them, which costs a hash a row.
 */
export function sheet(
  bytes: number,
  { ids = true, most = Number.POSITIVE_INFINITY, seed = 1 } = {},
): { csv: Buffer; rows: ReviewInput[] } {
  const lines = [csvLine([...(ids ? ['Review ID'] : []), 'Reviewer', 'Rating', 'Review Date', 'Review', 'Source'])]
  const rows: ReviewInput[] = []
  let length = lines[0]?.length ?? 0
  for (const review of reviews(seed)) {
    const text = rows.length % 9 === 0 ? `${review.text}\nRéservé à nouveau, "très bien".` : review.text
    const date = review.occurred_at.toISOString().slice(0, 19).replace('T', ' ')
    const id = ids ? [review.external_id] : []
    const line = csvLine([...id, review.author_name, String(review.rating ?? ''), date, text, review.source])
    length += Buffer.byteLength(line)
    if (length > bytes || rows.length === most) break
    lines.push(line)
    const { external_id, source, rating, author_name, occurred_at } = review
    rows.push({ external_id, source, rating, text, author_name, occurred_at })
  }
  return { csv: Buffer.from(lines.join('')), rows }
}
