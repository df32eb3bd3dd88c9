import stringWidth from 'string-width'
import type { StoredReview } from '../../contract/review.ts'
import { dayAndAge, displayId, shortId, sourceName, stars } from '../output/format.ts'
import type { Terminal } from '../output/terminal.ts'
import { nameInLine, oneLine, printable, truncate } from '../output/text.ts'
import { fieldLines, wrap, wrapHanging } from '../output/wrap.ts'

/**
 * A list of reviews: three lines each on a terminal; in a pipe one line each, with fields separated by tabs:
 * id, rating, date, source, status, hidden or visible, author, text.
 */
export function reviewList(reviews: readonly StoredReview[], now: Date, terminal: Terminal): string {
  if (!terminal.interactive) return reviews.map(tabLine).join('\n')
  return reviews.map((review) => shortBlock(review, now, terminal)).join('\n')
}

function tabLine(review: StoredReview): string {
  return [
    review.id,
    review.rating ?? '',
    review.occurred_at ?? '',
    review.source,
    review.status,
    review.hidden ? 'hidden' : 'visible',
    oneLine(review.author_name ?? ''),
    oneLine(review.text),
  ].join('\t')
}

function shortBlock(review: StoredReview, now: Date, terminal: Terminal): string {
  const { style, columns } = terminal
  const rating = stars(review.rating)
  // At most a line: the field may have 256 characters without a space.
  const author = truncate(oneLine(review.author_name ?? 'no name'), columns - rating.length - 2)
  const facts = [
    `${style.yellow(rating)}  ${style.bold(nameInLine(author))}`,
    dayAndAge(review.occurred_at, now),
    sourceName(review.source),
    ...(review.hidden ? [style.red('hidden')] : []),
    ...(review.status === 'indexing' ? [style.cyan('indexing')] : []),
  ]
  return [
    wrapHanging(facts.join(' · '), columns),
    `  ${truncate(oneLine(review.text), columns - 2)}`,
    style.dim(`  ${shortId(review.id)}`),
  ].join('\n')
}

/**
 * One line that identifies a review: short id, stars, author, day, and the start of its text.
 *
 * @param beside columns of the line used by other text
 */
export function reviewSummary(review: StoredReview, terminal: Terminal, beside = 0): string {
  const id = displayId(review.id, terminal)
  const isNarrow = terminal.columns - beside < 70
  const author = truncate(oneLine(review.author_name ?? 'no name'), isNarrow ? 12 : 28)
  const day = isNarrow ? '' : `, ${review.occurred_at?.slice(0, 10) ?? 'no date'}`
  const head = `${id}  ${stars(review.rating)} ${terminal.interactive ? nameInLine(author) : author}${day}: `
  const room = Math.max(8, Math.min(62, terminal.columns - beside - stringWidth(head)))
  return `${head}“${truncate(oneLine(review.text), room - 2)}”`
}

export function reviewDetails(review: StoredReview, now: Date, terminal: Terminal): string {
  const { bold, yellow } = terminal.style
  const width = Math.min(terminal.columns, 100)
  const text = printable(review.text)
  const sentiment =
    review.sentiment === null
      ? 'not known yet'
      : `${review.sentiment} (by ${review.sentiment_source === 'rating' ? 'its stars' : 'the model'})`
  const fields: [string, string][] = [
    ['id', review.id],
    ['external id', oneLine(review.external_id)],
    ['source', sourceName(review.source)],
    ['written', dayAndAge(review.occurred_at, now)],
    ['language', oneLine(review.language ?? 'not given')],
    ['sentiment', sentiment],
    ['status', review.status],
    ['visible', review.hidden ? 'no, hidden' : 'yes'],
    ['url', review.url === null ? 'none' : oneLine(review.url)],
    ...Object.entries(review.metadata).map(([key, value]): [string, string] => [
      `metadata.${oneLine(key)}`,
      oneLine(value),
    ]),
    ['updated', review.updated_at],
  ]
  return [
    `${yellow(stars(review.rating))}  ${bold(oneLine(review.author_name ?? 'no name'))}`,
    '',
    wrap(text, width),
    '',
    ...fieldLines(fields, terminal),
  ].join('\n')
}
