import { isAgo, isApproximateDate } from '../fields/approximate-date.ts'
import { AS_OF_ADVICE, isRelativeDate } from '../fields/date.ts'
import { ImporterError } from '../importer-error.ts'
import { quoted } from '../quoted.ts'
import { normalizeHeader } from '../read/headers.ts'
import { isSpreadsheet, type RawRow, type Table } from '../read/table.ts'
import { catalogueColumns, goodsOf } from './catalogue.ts'
import { filledCells, isPlausibleColumn, looksLikeDates, looksLikeProse } from './column-content.ts'
import { isPrivate, isReply } from './excluded-headers.ts'
import type { ImportOptions } from './mapping.ts'
import { isReviewLine } from './review-line.ts'

/** Bounds the guesses in files with many columns. */
const CELLS_LOOKED_AT = 10_000
const MOST_OTHERS = 4

/**
 * The error for a table without a text or date column.
 *
 * @returns `no_headings`, or `mapping_needed` with a suggested `--map` as far as it can be guessed
 */
export function missingColumnsError(
  { file, fileType, headers }: Table,
  sample: readonly RawRow[],
  used: ReadonlySet<number>,
  missing: readonly ('text' | 'date')[],
  { as_of: asOf }: ImportOptions,
): ImporterError {
  if (isSpreadsheet(fileType) && isReviewLine(headers, used.size > 0))
    return new ImporterError(
      'no_headings',
      `${file}: its first line, ${quoted(headers.join(', '))}, looks like a review, not like headings. ` +
        (headers.length === 1
          ? 'Put a line above it that says: text'
          : `Put a line of headings above it, one for each of its ${headers.length} columns, such as: date,author,rating,text`),
    )
  const few = firstRows(headers, sample)
  const free = headers.flatMap((_, index) => (used.has(index) ? [] : [index]))
  // The owner's reply has dates and sentences too; private text is never suggested.
  const customers = free.filter((index) => !isReply(headers[index] ?? '') && !isPrivate(headers[index] ?? ''))
  const length = (index: number) => filledCells(few, index).reduce((sum, cell) => sum + cell.length, 0)
  const goods = missing.includes('text') ? headers.find(goodsOf(headers)) : undefined
  const prose = customers
    .filter((index) => goods === undefined && !isAboutThing(headers[index] ?? ''))
    .filter((index) => looksLikeProse(few, index, 12) && isPlausibleColumn('text', few, index))
    .sort((a, b) => length(b) - length(a))
  // Prefers the date of the review over those of the visit and the order.
  const rank = (index: number) => {
    const name = normalizeHeader(headers[index] ?? '')
    return ABOUT_REVIEW.test(name) ? 0 : ABOUT_OTHER.test(name) ? 2 : 1
  }
  const dates = customers.filter((index) => isDated(headers[index] ?? '', few, index)).sort((a, b) => rank(a) - rank(b))
  const vague = asOf === undefined ? [] : relativeDateColumns(headers, sample, used, isApproximateDate)
  const guess = { text: prose[0], date: dates[0] ?? vague[0] }
  const hasNoDates = missing.includes('date') && guess.date === undefined
  const nameable = missing.filter((field) => field === 'text' || !hasNoDates)
  const advice = nameable.map((field) => {
    const index = guess[field]
    return `--map ${field}=${index === undefined ? 'COLUMN' : JSON.stringify(headers[index])}`
  })
  const which = advice.length > 1 ? 'them' : hasNoDates ? 'the text' : 'it'
  const named = advice.length > 0 ? ` Name ${which} with ${advice.join(' ')}.` : ''
  // Short cells of a few words are names and places.
  const long = prose.filter((index) => length(index) > length(prose[0] ?? -1) / 4)
  const others = nameable.map((field) => {
    const names = (field === 'text' ? long : dates).slice(1, MOST_OTHERS).map((index) => `"${headers[index]}"`)
    return names.length > 0 ? ` The ${field} could also be ${names.join(' or ')}.` : ''
  })
  const naming = named + others.join('')
  const nested = headers.find((_, index) => filledCells(few, index).some((cell) => LIST.test(cell)))
  const hint =
    nested !== undefined && missing.some((field) => guess[field] === undefined)
      ? ` "${nested}" contains a list in each item, which is not read: if the reviews are in it, import that list by itself.`
      : ''
  const list = goods === undefined ? '' : describesGoods(goods, headers)
  return new ImporterError(
    'mapping_needed',
    `${file}: no column was recognised as the review's ${missing.join(' and ')}.${list}${naming}` +
      `${hasNoDates ? ` ${noDates(headers, few, free)}` : ''}${hint} The columns: ${columnList(headers)}.`,
  )
}

function describesGoods(header: string, headers: readonly string[]): string {
  const others = catalogueColumns(headers).map((name) => `"${name}"`)
  return ` "${header}", beside ${others.join(' and ')}, describes what is listed.`
}

function firstRows(headers: readonly string[], sample: readonly RawRow[]): readonly RawRow[] {
  return sample.slice(0, Math.max(5, Math.floor(CELLS_LOOKED_AT / headers.length)))
}

/** Whether a short header, not a question of a survey, is about the reviewed thing or how the review was collected. */
function isAboutThing(header: string): boolean {
  return header.split(/[^\p{L}]+/u).length <= 3 && THING.test(normalizeHeader(header))
}

/** App store ids and telephone numbers have as many digits as Unix timestamps; no review is written on a release. */
function isDated(header: string, sample: readonly RawRow[], index: number): boolean {
  return !/id$|phone|telefon|전화|^release|price|count$|^reviews$/i.test(header) && looksLikeDates(sample, index)
}

/** Columns of relative dates; none when an unassigned column has absolute dates. */
export function relativeDateColumns(
  headers: readonly string[],
  sample: readonly RawRow[],
  used: ReadonlySet<number>,
  isVague = isAgo,
): number[] {
  const free = headers.flatMap((header, index) =>
    used.has(index) || isReply(header) || isPrivate(header) ? [] : [index],
  )
  const few = firstRows(headers, sample)
  if (free.some((index) => isDated(headers[index] ?? '', few, index))) return []
  return free.filter((index) => {
    const cells = filledCells(few, index)
    return cells.length > 0 && cells.filter(isVague).length >= cells.length / 2
  })
}

/** Why naming a column would not help: none holds dates. */
function noDates(headers: readonly string[], sample: readonly RawRow[], free: readonly number[]): string {
  for (const index of free) {
    const cells = filledCells(sample, index)
    const relative = cells.filter((cell) => isRelativeDate(cell) || isApproximateDate(cell))
    if (relative.length > 0 && relative.length >= cells.length / 2)
      return `"${headers[index]}" ${relative.some(isRelativeDate) ? 'only says how long ago' : 'does not name days'} (${quoted(relative[0] ?? '')}): ${AS_OF_ADVICE}.`
  }
  return 'None of the columns has readable dates, and each review needs the day on which it was written: export the reviews with dates, or give all of them one day with --date.'
}

/** A header about the review itself. */
export const ABOUT_REVIEW = /review|rating|rated|comment|feedback|submi|publi|post|bewert|avis|recens|resena|beoordel/
const ABOUT_OTHER =
  /order|purchase|stay|visit|dined|checkin|checkout|travel|booking|birth|update|modif|start|deliver|bestell|liefer|reise|sejour|achat|livraison|reception|entrega|consegna/
const THING =
  /(?:names?|address|location|city|cuisines?|cuisinetype|hotel|restaurant|authors?|publisher|source|categor(?:y|ies)|genres?|tags|keywords?|tokens|productdescription)$/
const LIST = /^\[\{/

/** Column names as a message lists them. */
export function columnList(headers: readonly string[]): string {
  const names = headers.slice(0, 40).map((header) => (header.length > 80 ? `${header.slice(0, 79)}…` : header))
  return headers.length > 40 ? `${names.join(', ')} and ${headers.length - 40} more` : names.join(', ')
}
