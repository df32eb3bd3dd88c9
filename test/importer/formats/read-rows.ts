import { prepare } from '../prepared.ts'

/** Format, and of each row whether it is hidden, text, rating, author, id and minute. */
export async function read(content: string) {
  const prepared = await prepare(content)
  const rows = prepared.rows.map(({ hidden, review }) => [
    hidden,
    review.text,
    review.rating,
    review.author_name,
    review.external_id,
    review.occurred_at.toISOString().slice(0, 16),
  ])
  return { format: prepared.tables[0]?.plan.format.name, rows, skipped: prepared.skipped, warnings: prepared.warnings }
}
