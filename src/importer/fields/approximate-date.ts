import { DAY_MS } from '../../contract/timestamp.ts'
import { quoted } from '../quoted.ts'
import type { Unit } from './ago-languages.ts'
import { normalizeWords, parseAgo } from './ago-words.ts'
import { monthOf } from './date-words.ts'
import { type Parsed, unreadable } from './parsed.ts'

/** What platforms write around a relative date: `Edited 3 months ago`, `a month ago on Google`. */
const BEFORE =
  /^(?:edited|reviewed|posted|written|published|updated|dined|bearbeitet|editad[oa]|modifie|modificat[oa]|bewerkt|diedit|edytowano|about|over|almost):? /
const BEHIND = / (?:on|auf|sur|en|su|op) \p{L}+$/u
/** `Сегодня, 14:05`, `昨天 10:20`, `yesterday at 2:05 PM`. */
const TIME = /,? (?:в |о |o |um |at |la |στις )?\d{1,2}:\d{2}(?: ?[ap]m)?$/
/** What 2GIS and YouTube write behind the date: `сегодня, отредактирован`, `2 weeks ago (edited)`. */
const EDITED = /(?:,| \() ?(?:отредактирован|изменено|edited|bearbeitet|modifiee?|editado|modificato|bewerkt)\)?$/
/** `March 2024`, `Stayed in March 2024`, `Fecha de la estancia: marzo de 2024`. */
const MONTH_NAMED =
  /^(?:[\p{L} ]{3,40}: ?|(?:stayed|visited|dined|travell?ed|reviewed|written|posted)(?: in)? )?(\p{L}{3,12}),? (?:de )?(\d{4})$/u
const MONTH_NUMBERED = /^(\d{4})(?:[-/.]| ?[年년] ?)(\d{1,2})(?: ?[月월])?$/
const MONTH_BEFORE_YEAR = /^(\d{1,2})[/.](\d{4})$/
/**
 * A day of the last twelve months, as Steam, Wildberries and Facebook write those of this year: `18 ноября, 19:35`,
 * `Posted: March 1`. Only beside a time or words, since "March 24" may be a month of 2024, and "3 ago" has lost its unit.
 */
const DAY_THEN_MONTH = /^[\p{L} ]{3,40}:? (\d{1,2})\.? (?:de )?(\p{L}{3,12})\.?$/u
const MONTH_THEN_DAY = /^[\p{L} ]{3,40}: (\p{L}{3,12})\.? (\d{1,2})$/u
const MONTH_DAY_SIGNS = /^(\d{1,2})[月월] ?(\d{1,2})[日号號일]$/
/** `2.14.토`, as Naver writes a day of this year. */
const MONTH_DAY_WEEKDAY = /^(\d{1,2})\. ?(\d{1,2})\. ?\(?([일월화수목금토])\)?$/
const WEEKDAYS = '일월화수목금토'
const LONGEST = 60
const EARLIEST_YEAR = 1990

/** Whether a cell is a month without a day, a day without a year or a relative date, so that the exact day is unknown. */
export function isApproximateDate(cell: string): boolean {
  return read(cell) !== undefined
}

/** Whether a cell is a relative date that can be counted back. */
export function isAgo(cell: string): boolean {
  return read(cell)?.unit !== undefined
}

/**
 * The day of a relative date, counted back from the day on which the file was made, or the first day of a month; of a day
 * without a year, the last such one.
 *
 * @returns undefined for any other cell
 */
export function approximateDate(cell: string, asOf: Date): Parsed<Date> | undefined {
  const found = read(cell)
  if (!found) return undefined
  const date =
    'day' in found
      ? lastSuchDay(asOf, found)
      : found.unit === undefined
        ? new Date(Date.UTC(found.year, found.month - 1, 1))
        : countBack(asOf, found)
  if ('weekday' in found && found.weekday !== undefined && found.weekday !== date.getUTCDay())
    return unreadable(
      `the date ${quoted(cell)} was another day of the week in ${date.getUTCFullYear()}: give the day on which the file was made with --as-of`,
    )
  if (date.getTime() > asOf.getTime())
    return unreadable(`the date ${quoted(cell)} is later than the day given with --as-of`)
  if (date.getUTCFullYear() < EARLIEST_YEAR) return unreadable(`the date ${quoted(cell)} is too long ago for a review`)
  return { ok: true, value: date }
}

type Found = { unit: Unit; count: number } | { unit?: undefined; year: number; month: number } | DayOfMonth

interface DayOfMonth {
  unit?: undefined
  month: number
  day: number
  /** From Sunday, 0, if it is named. */
  weekday?: number
}

function read(cell: string): Found | undefined {
  if (cell.length > LONGEST) return undefined
  const words = normalizeWords(cell)
  const ago =
    parseAgo(words) ?? parseAgo(words.replace(BEFORE, '').replace(EDITED, '').replace(BEHIND, '').replace(TIME, ''))
  if (ago) return ago
  const named = MONTH_NAMED.exec(words)
  if (named) return monthIn(Number(named[2]), monthOf(named[1] ?? ''))
  const numbered = MONTH_NUMBERED.exec(cell.trim())
  if (numbered) return monthIn(Number(numbered[1]), Number(numbered[2]))
  const turned = MONTH_BEFORE_YEAR.exec(cell.trim())
  if (turned) return monthIn(Number(turned[2]), Number(turned[1]))
  const weekday = MONTH_DAY_WEEKDAY.exec(cell.trim())
  if (weekday) {
    const day = dayIn(Number(weekday[1]), Number(weekday[2]))
    return day && { ...day, weekday: WEEKDAYS.indexOf(weekday[3] ?? '') }
  }
  const untimed = words.replace(EDITED, '').replace(TIME, '')
  const day = untimed === words ? words : `day: ${untimed}`
  const before = DAY_THEN_MONTH.exec(day)
  if (before) return dayIn(monthOf(before[2] ?? ''), Number(before[1]))
  const behind = MONTH_THEN_DAY.exec(day)
  if (behind) return dayIn(monthOf(behind[1] ?? ''), Number(behind[2]))
  const signs = untimed === words ? undefined : MONTH_DAY_SIGNS.exec(cell.trim().replace(TIME, ''))
  return signs ? dayIn(Number(signs[1]), Number(signs[2])) : undefined
}

function dayIn(month: number | undefined, day: number): DayOfMonth | undefined {
  // A leap year has all days that there are.
  const exists =
    month !== undefined && month >= 1 && new Date(Date.UTC(2024, month - 1, day)).getUTCMonth() === month - 1
  return exists && day > 0 ? { month, day } : undefined
}

function lastSuchDay(asOf: Date, { month, day }: DayOfMonth): Date {
  for (let year = asOf.getUTCFullYear(); ; year--) {
    const date = new Date(Date.UTC(year, month - 1, day))
    if (date.getTime() <= asOf.getTime() && date.getUTCDate() === day) return date
  }
}

function monthIn(year: number, month: number | undefined): Found | undefined {
  return month !== undefined && month >= 1 && month <= 12 && year >= EARLIEST_YEAR && year <= 2200
    ? { year, month }
    : undefined
}

function countBack(from: Date, { unit, count }: { unit: Unit; count: number }): Date {
  if (unit === 'month' || unit === 'year') {
    const months = unit === 'year' ? count * 12 : count
    const first = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() - months, 1))
    const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
    first.setUTCDate(Math.min(from.getUTCDate(), last))
    return first
  }
  const days = unit === 'week' ? count * 7 : unit === 'day' ? count : unit === 'hour' ? Math.floor(count / 24) : 0
  return new Date(from.getTime() - days * DAY_MS)
}
