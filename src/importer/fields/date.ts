import { DAY_MS } from '../../contract/timestamp.ts'
import { quoted } from '../quoted.ts'
import { isAgo, isApproximateDate } from './approximate-date.ts'
import { normalizeCharacters, normalizeSpelling } from './date-spellings.ts'
import { monthOf, zoneOffset } from './date-words.ts'
import { type Parsed, unreadable } from './parsed.ts'
import { shortCell } from './short-cell.ts'

/** How a slash date can be read; many dates allow only one order and so prove their file's. */
export type SlashOrder = 'only-day-first' | 'only-month-first' | 'either'
export type ParsedDate = Parsed<Date> & { slash?: SlashOrder }

const TIME = String.raw`(\d{1,2})[:.h](\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*([AaPp]\.?\s?[Mm]\.?)?`
const ZONE = String.raw`\s*([A-Za-z]{0,5}\s*[+-]\d{1,2}:?\d{0,2}|[A-Za-z]{1,5})?(?:\s*\([^)]*\)|\s+[A-Z]{3,5})?`
const REST = `(?:(?:,?\\s+|\\s*[Tt]\\s*|\\s*-\\s+)(?:at\\s+|um\\s+|à\\s+|às\\s+|om\\s+)?${TIME}(?:\\s*Uhr)?${ZONE})?`
const WEEKDAY = String.raw`(?:[\p{L}-]{2,14}\.?,?\s+)?`
const WORD = String.raw`(\p{L}{3,12})\.?`

const ISO = new RegExp(`^(\\d{4})[-/.](\\d{1,2})[-/.](\\d{1,2})${REST}$`, 'u')
const SLASH = new RegExp(`^(\\d{1,2})([/.-])(\\d{1,2})\\2(\\d{4}|\\d{2})${REST}$`, 'u')
const MONTH_FIRST = new RegExp(`^${WEEKDAY}${WORD}\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+(\\d{4})${REST}$`, 'iu')
const DAY_FIRST = new RegExp(
  `^${WEEKDAY}${WEEKDAY}(\\d{1,2})(?:st|nd|rd|th|er|º|\\.)?[\\s-]+(?:de\\s+|of\\s+)?${WORD},?[\\s-]+(?:del?\\s+)?(\\d{4}|\\d{2})${REST}$`,
  'iu',
)
// 2026. január 5.
const YEAR_FIRST = new RegExp(`^(\\d{4})\\.?\\s+${WORD}\\s+(\\d{1,2})\\.?${REST}$`, 'iu')
// Mon Jan 5 10:00:00 2026 or Mon Jan 5 10:00:00 UTC 2026, as C, Go and Ruby write.
const YEAR_LAST = new RegExp(
  `^\\p{L}{3}\\s+${WORD}\\s+(\\d{1,2})\\s+${TIME}(?:\\s+([A-Za-z]{1,5}|[+-]\\d{4}))?\\s+(\\d{4})$`,
  'u',
)
// Jan-05-26, as eBay writes.
const MONTH_DASH = new RegExp(`^${WORD}-(\\d{1,2})-(\\d{4}|\\d{2})${REST}$`, 'iu')
const COMPACT = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})?(Z|[+-]\d{2}:?\d{2})?)?$/
const UNIX = /^(\d{9,10}|\d{12,13}|\d{15,16})(?:\.\d+)?$/
const EXCEL = /^(\d{5})(?:[.,](\d+))?$/
// A timestamp that is valid in any month and year.
const PLAIN =
  /^(?:19|20|21)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])[T ](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z?$/
const RELATIVE =
  /(?<![\p{L}\d])(?:ago|yesterday|today|last|vor|gestern|heute|hace|ayer|il y a|hier|fa|ieri|geleden|gisteren|ontem|atrás|lalu|kemarin|önce|dün|назад|вчера|тому|temu|wczoraj|sedan|siden|sitten|trước|منذ|قبل|לפני|पहले|ที่แล้ว|წინ)(?![\p{L}\d])|\p{L}(?:前|전)$/iu
/** `March 2026`, `2026-03`, `2026`. */
const NO_DAY =
  /^(?:\p{L}[\p{L} ]{1,30}[.,]? (?:de )?\d{4}|\d{4}(?:[-/.]\d{1,2}| ?[年년] ?\d{1,2} ?[月월])?|\d{1,2}[/.]\d{4})$/u

/** Advice for dates without a day. */
export const AS_OF_ADVICE = 'export the reviews with dates, or give the day on which the file was made with --as-of'

/** Spreadsheets' serial day number of 1 January 1970. */
const EXCEL_EPOCH_DAYS = 25_569
const EXCEL_DAYS = { from: 29_221, to: 62_092 }
const YEARS = { from: 1900, to: 2200 }

/** Fast path for the timestamps of nearly all exports: as RFC 3339, without parsing; undefined for anything else. */
export function plainTimestamp(cell: string): string | undefined {
  if (!PLAIN.test(cell)) return undefined
  return `${cell.slice(0, 10)}T${cell.slice(11)}${cell.endsWith('Z') ? '' : 'Z'}`
}

/** The day in UTC, as `YYYY-MM-DD`. */
export function utcDay(date: Date): string {
  return date.toISOString().slice(0, 10)
}

/**
 * Parses a date as exports and spreadsheets write it. Without a time it is midnight UTC; without a zone, UTC.
 *
 * @param dayFirst how to read `1/2/2026`; dates with dots (`1.2.2026`) always have the day first
 */
export function parseDate(cell: string, dayFirst = false): ParsedDate {
  const value = shortCell(cell)
  if (value === '') return unreadable('has no date')
  if (value === undefined) return unreadable(`the date ${quoted(cell)} is too long to be a date`)
  const plain = readPlain(normalizeCharacters(value), dayFirst, cell)
  if (plain.ok || plain.slash) return plain
  return readPlain(normalizeSpelling(value), dayFirst, cell)
}

function readPlain(value: string, dayFirst: boolean, cell: string): ParsedDate {
  const number = numericDate(value)
  if (number) return dateOrReason(number, cell)
  const slash = SLASH.exec(value)
  return slash ? slashDate(slash, dayFirst, cell) : dateOrReason(namedDate(value), cell)
}

function dateOrReason(date: Date | undefined, cell: string): ParsedDate {
  if (date) return { ok: true, value: date }
  const wayOut = isApproximateDate(cell) ? AS_OF_ADVICE : 'export the reviews with full dates'
  if (isRelativeDate(cell)) return unreadable(`the date ${quoted(cell)} is relative and does not name a day: ${wayOut}`)
  if (NO_DAY.test(cell.trim())) return unreadable(`the date ${quoted(cell)} does not name a day: ${wayOut}`)
  if (isApproximateDate(cell)) return unreadable(`the date ${quoted(cell)} does not name its year: ${wayOut}`)
  return unreadable(`the date ${quoted(cell)} could not be read: write it as 2026-01-31`)
}

/** Whether a cell is a relative date. */
export function isRelativeDate(cell: string): boolean {
  return cell.length <= 60 && (RELATIVE.test(cell) || isAgo(cell))
}

function numericDate(value: string): Date | undefined {
  const compact = COMPACT.exec(value)
  if (compact) {
    const [year, month, day, hour, minute, second] = compact.slice(1, 7).map((part) => Number(part ?? 0))
    const date = instant({ year, month, day, hour, minute, second, zone: compact[7] ?? '' })
    if (date) return date
  }
  if (UNIX.test(value)) {
    const whole = value.split('.')[0] ?? ''
    const milliseconds =
      whole.length <= 10 ? Number(value) * 1000 : whole.length <= 13 ? Number(value) : Number(whole) / 1000
    return inYears(new Date(Math.floor(milliseconds)))
  }
  const excel = EXCEL.exec(value)
  if (excel && Number(excel[1]) >= EXCEL_DAYS.from && Number(excel[1]) <= EXCEL_DAYS.to) {
    const days = Number(excel[1]) - EXCEL_EPOCH_DAYS + Number(`0.${excel[2] ?? 0}`)
    return new Date(Math.round((days * DAY_MS) / 1000) * 1000)
  }
  return undefined
}

function slashDate(match: RegExpExecArray, dayFirst: boolean, cell: string): ParsedDate {
  const [first, third] = [Number(match[1]), Number(match[3])]
  const dots = match[2] === '.'
  const time = timeOf(match, 5)
  const year = fullYear(match[4])
  const monthFirst = time && instant({ year, month: first, day: third, ...time })
  const dayBefore = time && instant({ year, month: third, day: first, ...time })
  const date = dots || dayFirst ? dayBefore : monthFirst
  const slash: SlashOrder = dayBefore ? (monthFirst ? 'either' : 'only-day-first') : 'only-month-first'
  if (date) return dots ? { ok: true, value: date } : { ok: true, value: date, slash }
  if (dots || (!dayBefore && !monthFirst)) return dateOrReason(undefined, cell)
  const [way, flag] = dayFirst ? ['month', '--no-day-first'] : ['day', '--day-first']
  const message = `the date ${quoted(cell)} can only be read with the ${way} first: ${flag} reads the file that way`
  return { ok: false, message, slash }
}

function namedDate(value: string): Date | undefined {
  const iso = ISO.exec(value)
  if (iso) return fromParts(iso[1], Number(iso[2]), iso[3], timeOf(iso, 4))
  const yearLast = YEAR_LAST.exec(value)
  if (yearLast) return fromParts(yearLast[9], monthOf(yearLast[1] ?? ''), yearLast[2], timeOf(yearLast, 3))
  const yearFirst = YEAR_FIRST.exec(value)
  if (yearFirst) return fromParts(yearFirst[1], monthOf(yearFirst[2] ?? ''), yearFirst[3], timeOf(yearFirst, 4))
  const monthFirst = MONTH_FIRST.exec(value)
  if (monthFirst) return fromParts(monthFirst[3], monthOf(monthFirst[1] ?? ''), monthFirst[2], timeOf(monthFirst, 4))
  const dashed = MONTH_DASH.exec(value)
  if (dashed) return fromParts(dashed[3], monthOf(dashed[1] ?? ''), dashed[2], timeOf(dashed, 4))
  const dayFirst = DAY_FIRST.exec(value)
  if (dayFirst) return fromParts(dayFirst[3], monthOf(dayFirst[2] ?? ''), dayFirst[1], timeOf(dayFirst, 4))
  return undefined
}

interface Time {
  hour: number
  minute: number
  second: number
  millisecond: number
  zone: string
}

/** Reads the consecutive groups hour, minute, second, fraction, AM or PM, and zone of a match. */
function timeOf(match: RegExpExecArray, at: number): Time | undefined {
  if (match[at] === undefined) return { hour: 0, minute: 0, second: 0, millisecond: 0, zone: '' }
  const half = match[at + 4]?.[0]?.toUpperCase()
  const written = Number(match[at])
  // The hour after noon is 0:30 PM where hours go from 0 to 11, as in Japan.
  if (half && written > 12) return undefined
  return {
    hour: half ? (written % 12) + (half === 'P' ? 12 : 0) : written,
    minute: Number(match[at + 1]),
    second: Number(match[at + 2] ?? 0),
    millisecond: Math.floor(Number(`0.${match[at + 3] ?? 0}`) * 1000),
    zone: match[at + 5] ?? '',
  }
}

function fromParts(year: string | undefined, month: number | undefined, day: string | undefined, time?: Time) {
  if (month === undefined || !time) return undefined
  return instant({ year: fullYear(year), month, day: Number(day), ...time })
}

/** Two digits mean 1970 to 2069, close to POSIX, because reviews are recent. */
function fullYear(year = ''): number {
  return year.length > 2 ? Number(year) : Number(year) + (Number(year) < 70 ? 2000 : 1900)
}

type Parts = { [part in 'year' | 'month' | 'day' | Exclude<keyof Time, 'zone'>]?: number | undefined } & Pick<
  Time,
  'zone'
>

function instant({ year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, millisecond = 0, zone }: Parts) {
  const offset = zoneOffset(zone)
  if (offset === undefined || hour > 23 || minute > 59 || second > 59) return undefined
  const date = new Date(Date.UTC(2000, 0, 1))
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1) return undefined
  date.setUTCHours(hour, minute, second, millisecond)
  return inYears(new Date(date.getTime() - offset * 60_000))
}

function inYears(date: Date): Date | undefined {
  const year = date.getUTCFullYear()
  return year >= YEARS.from && year <= YEARS.to ? date : undefined
}
