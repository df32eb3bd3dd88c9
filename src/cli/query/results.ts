import stringWidth from 'string-width'
import type { QueryResponse, QueryResult } from '../../contract/query.ts'
import { floorText, scoreBesideFloor } from '../../contract/score-text.ts'
import { dayAndAge, displayId, sourceName, stars } from '../output/format.ts'
import type { Terminal } from '../output/terminal.ts'
import { beginning, ending, nameInLine, oneLine, truncate } from '../output/text.ts'
import { UNSPACED, wrap } from '../output/wrap.ts'

/** Most columns of the review shown on each side of the excerpt. */
const CONTEXT_COLUMNS = 120
/** Room for the number of a result. */
const INDENT = 4

export interface QueryView {
  answer: QueryResponse
  q: string | undefined
  now: Date
  /** Shows whole reviews, as for --mode reviews and --include text, instead of the excerpt with some context. */
  whole?: boolean
  /** The project's relevance floor, if known. */
  floor: number | undefined
}

/** The results of a query for people: rating, score, author, date, source, and the excerpt within its review. */
export function queryResults(view: QueryView, terminal: Terminal): string {
  return view.answer.results.map((result, i) => resultBlock(result, i + 1, view, terminal)).join('\n\n')
}

function resultBlock(result: QueryResult, rank: number, view: QueryView, terminal: Terminal): string {
  const { style } = terminal
  const { review } = result
  const score = scoreText(result, view.floor, terminal)
  const author = oneLine(review.author_name ?? 'no name')
  const head = [
    [style.yellow(stars(review.rating)), ...(score === undefined ? [] : [score])].join(' '),
    style.bold(terminal.interactive ? nameInLine(truncate(author, 28)) : author),
    dayAndAge(review.occurred_at, view.now),
    sourceName(review.source),
  ].join(' · ')
  const number = `${rank}.`.padEnd(3)
  // In a pipe each paragraph is one line.
  const columns = terminal.interactive ? Math.min(terminal.columns, 110) : Number.POSITIVE_INFINITY
  const body = wrap(inContext(result, view, terminal), columns, INDENT)
  const id = displayId(review.id, terminal)
  const link = review.url === null ? [] : [oneLine(review.url)]
  const about = [`id ${id}`, ...link].join(' · ')
  // A URL that does not fit goes on a line of its own, unbroken, so that it can be copied.
  const shown = about.length > columns - INDENT ? [`id ${id}`, ...link] : [about]
  const last = shown.map((line) => ' '.repeat(INDENT) + style.dim(line)).join('\n')
  return [`${style.dim(number)} ${wrap(head, columns, INDENT).trimStart()}`, body, last].join('\n')
}

/** `0.81 ≥ 0.66`: the score and the floor; a result below the floor passed by its words. */
function scoreText({ score }: QueryResult, floor: number | undefined, { style }: Terminal): string | undefined {
  if (score === null) return undefined
  if (floor === undefined) return style.cyan(score.toFixed(2))
  const shown = style.cyan(scoreBesideFloor(score, floor))
  if (score < floor) return `${shown} ${style.dim(`< ${floorText(floor)}, by its words`)}`
  return `${shown} ${style.dim(`≥ ${floorText(floor)}`)}`
}

/** The excerpt, marked, with some of the review around it: `… before [[excerpt]] after …` when colour is off. */
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

/** What the review says before the excerpt, from a word's beginning; a text without blanks has none to look for. */
function lastPart(text: string): string {
  const cut = ending(text, CONTEXT_COLUMNS)
  if (cut === text) return text
  const blank = cut.indexOf(' ')
  return `… ${blank < cut.length / 2 ? cut.slice(blank + 1) : cut}`
}

function firstPart(text: string): string {
  const cut = beginning(text, CONTEXT_COLUMNS)
  if (cut === text) return text
  const blank = cut.lastIndexOf(' ')
  return `${blank > cut.length / 2 ? cut.slice(0, blank) : cut} …`
}

// Function words of four letters or more, which would be underlined everywhere.
const FUNCTION_WORDS = new Set('with from that this they have what when where very your there'.split(' '))
const WORDS = /[\p{L}\p{M}\p{N}]+/gu

/** Underlines the words of the query, with other endings too; only when colour is on. */
function markWords(text: string, q: string | undefined, { style }: Terminal): string {
  if (!style.isColorSupported || q === undefined) return text
  const words = [...q.toLowerCase().matchAll(WORDS)].map(([word]) => word)
  const stems = words
    // A syllable of Hangul counts as two letters.
    .filter((word) => !UNSPACED.test(word) && stringWidth(word) > 3 && !FUNCTION_WORDS.has(word))
    .map((word) => word.slice(0, Math.max(4, word.length - 2)))
  const parts = words.filter((word) => UNSPACED.test(word)).flatMap(wordsWithin)
  if (stems.length === 0 && parts.length === 0) return text
  const anywhere = parts.length > 0 ? new RegExp(`(?:${parts.join('|')})(?!\\p{M})`, 'giu') : undefined
  return text.replace(WORDS, (word) => {
    if (anywhere && UNSPACED.test(word)) return word.replace(anywhere, (part) => style.underline(part))
    return stems.some((stem) => word.toLowerCase().startsWith(stem)) ? style.underline(word) : word
  })
}

/** The words in a run of letters without blanks; two signs of kana are mostly an ending. */
function wordsWithin(run: string): string[] {
  return [...new Intl.Segmenter('ja', { granularity: 'word' }).segment(run)]
    .map(({ segment }) => segment)
    .filter((word) => word.replace(/\p{M}/gu, '').length > 1 && !/^\p{Script=Hiragana}{2}$/u.test(word))
}

const HEADINGS: Record<QueryResponse['match'] | 'best', (count: number, q: string) => string> = {
  best: (count, q) => `The ${count === 1 ? 'best match' : `${count} best matches`} for “${q}”`,
  query: (count, q) => `${count === 1 ? '1 match' : `${count} matches`} for “${q}”`,
  fallback: (count, q) => `Nothing fits “${q}”; the ${count === 1 ? 'newest review' : `${count} newest`} instead`,
  none: (_, q) => `Nothing fits “${q}”`,
  recent: (count) => (count === 1 ? 'The newest review' : `The ${count} newest reviews`),
}

/** One line about the whole answer. @param view with the requested limit: when it is reached there may be more results */
export function queryHeading(view: QueryView & { limit: number }, terminal: Terminal): string {
  const { answer, q } = view
  const { bold, dim } = terminal.style
  const count = answer.results.length
  if (answer.match === 'recent' && count === 0) return bold('There are no publishable reviews')
  // When the limit is reached, the total number of matches is unknown.
  const kind = answer.match === 'query' && count >= view.limit && count > 0 ? 'best' : answer.match
  const what = HEADINGS[kind](count, oneLine(q ?? ''))
  const facts = [`${answer.took_ms} ms`, ...(answer.cached ? ['from the cache'] : [])].join(', ')
  return `${bold(what)} ${dim(`(${facts})`)}`
}
