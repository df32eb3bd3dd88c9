import type { QueryResponse, QueryResult } from '../../contract/query.ts'
import { dayAndAge, displayId, sourceName, stars } from '../output/format.ts'
import type { Terminal } from '../output/terminal.ts'
import { oneLine, truncate } from '../output/text.ts'
import { wrap } from '../output/wrap.ts'

/** At most this much of the review is shown on each side of the excerpt. */
const CONTEXT_LENGTH = 120
/** The number of a result stands before it. */
const INDENT = 4

export interface QueryView {
  answer: QueryResponse
  q: string | undefined
  now: Date
  /** Whole reviews, as --mode reviews and --include text ask for; else the excerpt with a little around it. */
  whole?: boolean
  /** The project's relevance floor, where it is known. */
  floor: number | undefined
}

/** The results of a query for people: who, when, where from, how near, and the excerpt within its review. */
export function queryResults(view: QueryView, terminal: Terminal): string {
  return view.answer.results.map((result, i) => resultBlock(result, i + 1, view, terminal)).join('\n\n')
}

function resultBlock(result: QueryResult, rank: number, view: QueryView, terminal: Terminal): string {
  const { style } = terminal
  const { review } = result
  const score = scoreText(result, view.floor, terminal)
  const head = [
    [style.yellow(stars(review.rating)), ...(score === undefined ? [] : [score])].join(' '),
    style.bold(
      truncate(oneLine(review.author_name ?? 'no name'), terminal.interactive ? 28 : Number.POSITIVE_INFINITY),
    ),
    dayAndAge(review.occurred_at, view.now),
    sourceName(review.source),
  ].join(' · ')
  const number = `${rank}.`.padEnd(3)
  // In a pipe a paragraph is one line.
  const columns = terminal.interactive ? Math.min(terminal.columns, 110) : Number.POSITIVE_INFINITY
  const body = wrap(inContext(result, view, terminal), columns, INDENT)
  const id = displayId(review.id, terminal)
  const link = review.url === null ? [] : [oneLine(review.url)]
  const about = [`id ${id}`, ...link].join(' · ')
  // An address is copied, so that it has a line of its own where it does not fit.
  const shown = about.length > columns - INDENT ? [`id ${id}`, ...link] : [about]
  const last = shown.map((line) => ' '.repeat(INDENT) + style.dim(line)).join('\n')
  return [`${style.dim(number)} ${wrap(head, columns, INDENT).trimStart()}`, body, last].join('\n')
}

/** `0.81 ≥ 0.66`: the score and the floor; a score below the floor came in by its words. */
function scoreText({ score }: QueryResult, floor: number | undefined, { style }: Terminal): string | undefined {
  if (score === null) return undefined
  const shown = style.cyan(score.toFixed(2))
  if (floor === undefined) return shown
  if (score < floor) {
    // With as many decimals as it takes not to say `0.66 < 0.66`.
    const digits = [2, 3, 4, 5].find((digits) => Number(score.toFixed(digits)) < floor) ?? 6
    return `${style.cyan(score.toFixed(digits))} ${style.dim(`< ${floor.toFixed(2)}, by its words`)}`
  }
  return `${shown} ${style.dim(`≥ ${floor.toFixed(2)}`)}`
}

/** The excerpt, marked, with a little of the review around it: `… before [[excerpt]] after …` where colour is off. */
function inContext(result: QueryResult, { q, whole }: QueryView, terminal: Terminal): string {
  const { style } = terminal
  const { highlight, review } = result
  const excerpt = oneLine(result.excerpt)
  if (highlight === null || review.text === undefined) {
    const shown = whole && review.text !== undefined ? oneLine(review.text) : excerpt
    return result.matched ? markWords(shown, q, terminal) : shown
  }
  const textBefore = oneLine(review.text.slice(0, highlight.start))
  const textAfter = oneLine(review.text.slice(highlight.end))
  const before = whole ? textBefore : lastPart(textBefore)
  const after = whole ? textAfter : firstPart(textAfter)
  const marked = style.isColorSupported ? style.bold(markWords(excerpt, q, terminal)) : `[[${excerpt}]]`
  return [style.dim(before), marked, style.dim(after)].filter((part) => part !== '' && part !== style.dim('')).join(' ')
}

function lastPart(text: string): string {
  if (text.length <= CONTEXT_LENGTH) return text
  const cut = text.slice(-CONTEXT_LENGTH)
  return `… ${cut.slice(cut.indexOf(' ') + 1)}`
}

function firstPart(text: string): string {
  if (text.length <= CONTEXT_LENGTH) return text
  const cut = text.slice(0, CONTEXT_LENGTH)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), 1))} …`
}

// Four letters and more, which would be underlined everywhere.
const FUNCTION_WORDS = new Set('with from that this they have what when where very your there'.split(' '))

/** Underlines the words of the query, also with another ending; only where colour is on. */
function markWords(text: string, q: string | undefined, { style }: Terminal): string {
  if (!style.isColorSupported || q === undefined) return text
  const stems = [...q.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)]
    .map(([word]) => word)
    .filter((word) => word.length > 3 && !FUNCTION_WORDS.has(word))
    .map((word) => word.slice(0, Math.max(4, word.length - 2)))
  if (stems.length === 0) return text
  return text.replace(/[\p{L}\p{N}]+/gu, (word) =>
    stems.some((stem) => word.toLowerCase().startsWith(stem)) ? style.underline(word) : word,
  )
}

const HEADINGS: Record<QueryResponse['match'] | 'best', (count: number, q: string) => string> = {
  best: (count, q) => `The ${count === 1 ? 'best match' : `${count} best matches`} for “${q}”`,
  query: (count, q) => `${count === 1 ? '1 match' : `${count} matches`} for “${q}”`,
  fallback: (count, q) => `Nothing fits “${q}”; the ${count === 1 ? 'newest review' : `${count} newest`} instead`,
  none: (_, q) => `Nothing fits “${q}”`,
  recent: (count) => (count === 1 ? 'The newest review' : `The ${count} newest reviews`),
}

/**
 * One line about the whole answer.
 *
 * @param view with how many results were asked for: where so many came there may be more
 */
export function queryHeading(view: QueryView & { limit: number }, terminal: Terminal): string {
  const { answer, q } = view
  const { bold, dim } = terminal.style
  const count = answer.results.length
  if (answer.match === 'recent' && count === 0) return bold('There are no publishable reviews')
  // Of more matches than were asked for nobody knows the number.
  const kind = answer.match === 'query' && count >= view.limit && count > 0 ? 'best' : answer.match
  const what = HEADINGS[kind](count, oneLine(q ?? ''))
  const facts = [`${answer.took_ms} ms`, ...(answer.cached ? ['from the cache'] : [])].join(', ')
  return `${bold(what)} ${dim(`(${facts})`)}`
}
