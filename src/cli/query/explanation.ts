import type { ExplainedExcerpt, Explanation } from '../../contract/explain.ts'
import type { StoredReview } from '../../contract/review.ts'
import { floorText } from '../../contract/score-text.ts'
import { displayId } from '../output/format.ts'
import type { Terminal } from '../output/terminal.ts'
import { oneLine, truncate } from '../output/text.ts'
import { fieldLines, wrap } from '../output/wrap.ts'
import { reviewSummary } from '../reviews/lines.ts'

/**
 * Explains to people why a query's results appear, and what keeps a review out of them.
 *
 * @param asked the review whose absence is explained
 */
export function explanationText(explanation: Explanation, terminal: Terminal, asked?: StoredReview): string {
  const { bold } = terminal.style
  const { words, off_domain, floor, word_tier, min_rating, results, review } = explanation
  const strange = off_domain.map(oneLine).join(', ')
  const facts: [string, string | null][] = [
    ['words that count', words.length > 0 ? words.map(oneLine).join(', ') : 'none: only the meaning counts'],
    ['nothing near says', strange === '' ? null : `${strange}: this lowers the cosines`],
    ['relevance floor', `${floorText(floor)}; with half of the words ${floorText(word_tier)}`],
    ['stars from', String(min_rating)],
  ]
  const lines = [
    ...fieldLines(facts, terminal),
    '',
    bold(results.length === 0 ? 'No result' : 'Results'),
    ...results.flatMap((result) => excerptLines(result, explanation, terminal)),
  ]
  if (review) {
    lines.push('', bold(review.appears ? 'This review appears' : 'This review does not appear'))
    lines.push(`  ${asked ? reviewSummary(asked, terminal, 2) : review.id}`)
    for (const { message } of review.removed_by) lines.push(wrap(`because ${oneLine(message)}`, terminal.columns, 2))
    lines.push(...review.excerpts.flatMap((excerpt) => excerptLines(excerpt, explanation, terminal)))
  }
  return lines.join('\n')
}

function excerptLines(row: ExplainedExcerpt, { floor, word_tier }: Explanation, terminal: Terminal): string[] {
  const { dim, cyan } = terminal.style
  const place = row.place === null ? ' - ' : `${row.place}.`.padStart(3)
  const cosine = row.cosine === null ? 'no vector yet' : number(row.cosine)
  const verdict = {
    floor: `passes: cosine ${cosine} ≥ ${floorText(floor)}`,
    words: `passes by its words: cosine ${cosine} ≥ ${floorText(word_tier)}`,
    none: `does not pass: cosine ${cosine}`,
  }[row.passes_by]
  const id = displayId(row.review_id, terminal)
  const facts = [
    `review ${id}`,
    verdict,
    ...(row.sentence === null ? [] : [`nearest: ${oneLine(row.sentence)}`]),
    wordsText(row),
    ...(row.text_rank === null ? [] : [`text rank ${row.text_rank.toPrecision(2)}`]),
    ...(row.other_language ? ['in another language'] : []),
    ...(row.fused === null ? [] : [fusedText(row.fused, row)]),
  ]
  const { columns } = terminal
  const lines = wrap(facts.join(' · '), columns - 4).split('\n')
  return [`${dim(place)} ${truncate(oneLine(row.excerpt), columns - 4)}`, ...lines.map((line) => `    ${cyan(line)}`)]
}

/** The score that decides the order, with its terms as far as the server gives them. */
function fusedText(fused: number, { cosine, coverage, adds }: ExplainedExcerpt): string {
  const total = `fused ${fused.toFixed(4)}`
  if (cosine === null || adds === null) return total
  const parts = [
    `cosine ${cosine.toFixed(4)}`,
    ...(adds.words === 0 ? [] : [`words ${adds.words.toFixed(4)}`]),
    ...(coverage === null
      ? []
      : [`${adds.coverage.toFixed(4)} for saying ${Math.round(coverage * 100)} % of the query`]),
  ]
  if (adds.tone > 0) parts.push(`${adds.tone.toFixed(4)} for the tone asked for`)
  const taken = [
    ...(adds.tone < 0 ? [`${(-adds.tone).toFixed(4)} for the opposite tone`] : []),
    ...(adds.language === 0 ? [] : [`language ${(-adds.language).toFixed(4)}`]),
  ]
  return [`${total} = ${parts.join(' + ')}`, ...taken].join(' − ')
}

function wordsText({ words_matched, words_needed }: ExplainedExcerpt): string {
  if (words_needed === 0) return 'no words count'
  const matched = words_matched.length === 0 ? 'no word' : words_matched.map(oneLine).join(', ')
  return `${matched} (${words_matched.length} of ${words_needed} needed)`
}

function number(value: number): string {
  return value.toFixed(3).replace(/(\.\d\d)0$/, '$1')
}
