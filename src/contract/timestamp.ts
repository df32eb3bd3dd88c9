import * as v from 'valibot'

/** Milliseconds. */
export const DAY_MS = 86_400_000

// RFC 3339 section 5.6. The contract rejects a bare date where order matters, and a time without a zone.
const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/
// The form in most reviews. Limited to days that every month has, so it needs no further validation: half the time.
const USUAL = /^(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/
// Patterns for the API description, in syntax that every language's regular expressions support.
const DAY = '[0-9]{4}-[0-9]{2}-[0-9]{2}'
const TIME = '[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]+)?(?:[Zz]|[+-][0-9]{2}:[0-9]{2})'
const DATE = /^\d{4}-\d{2}-\d{2}$/

/**
 * Parses an RFC 3339 date-time with `Z` or a numeric offset.
 *
 * @returns the instant to the millisecond, or undefined for another format, an impossible date (30 February, hour 24, a
 * leap second, which neither JavaScript nor the database can represent) or a year outside 1–9999
 */
export function parseDateTime(value: string): Date | undefined {
  if (USUAL.test(value)) return new Date(value)
  const match = DATE_TIME.exec(value)
  if (!match) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number)
  const [offsetHours, offsetMinutes] = [Number(match[9] ?? 0), Number(match[10] ?? 0)]
  if (!isCalendarDay(year, month, day) || hour > 23 || minute > 59 || second > 59) return undefined
  if (offsetHours > 23 || offsetMinutes > 59) return undefined
  // Built from its numbers, which is several times as fast as parsing the text again.
  const milliseconds = Number(match[7]?.slice(0, 3).padEnd(3, '0') ?? 0)
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second, milliseconds))
  // Date.UTC maps the years 0 to 99 to 1900–1999.
  if (year < 100) date.setUTCFullYear(year)
  const east = match[8] === '-' ? -1 : 1
  if (match[8] !== undefined) date.setTime(date.getTime() - east * (offsetHours * 60 + offsetMinutes) * 60_000)
  return date.getUTCFullYear() >= 1 && date.getUTCFullYear() <= 9999 ? date : undefined
}

/** Parses `YYYY-MM-DD` as midnight UTC, or whatever {@link parseDateTime} accepts. */
export function parseDateOrDateTime(value: string): Date | undefined {
  return parseDateTime(DATE.test(value) ? `${value}T00:00:00Z` : value)
}

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function isCalendarDay(year: number, month: number, day: number): boolean {
  if (day < 1 || day > (DAYS[month - 1] ?? 0)) return false
  return month !== 2 || day < 29 || (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0))
}

// In a query string, a plus sign is decoded as a space.
const LOST_PLUS = /[Tt][\d:.]+ \d{2}:\d{2}$/

function parsedBy(parse: (value: string) => Date | undefined, messageOf: (value: string) => string) {
  return v.rawTransform<string, Date>(({ dataset, addIssue, NEVER }) => {
    const date = parse(dataset.value)
    if (date) return date
    addIssue({ message: messageOf(dataset.value) })
    return NEVER
  })
}

// Java leaves out seconds that are zero, PHP's DateTime::ISO8601 the colon of the offset.
const DATE_TIME_FORM =
  'date and time with seconds and Z or an offset, such as 2026-01-05T10:00:00Z or 2026-01-05T10:00:00+02:00'

/** `occurred_at`: an instant. */
export const dateTime = v.pipe(
  v.string(),
  v.metadata({ format: 'date-time', examples: ['2026-01-05T10:00:00Z'] }),
  parsedBy(parseDateTime, () => `must be an existing ${DATE_TIME_FORM}`),
)

/** `since`: a day or an instant. */
export const dateOrDateTime = v.pipe(
  v.string(),
  v.metadata({ pattern: `^${DAY}(?:[Tt]${TIME})?$`, examples: ['2026-01-05', '2026-01-05T10:00:00Z'] }),
  parsedBy(parseDateOrDateTime, (value) => {
    const hint = LOST_PLUS.test(value) ? '; in an address the + of an offset is written %2B' : ''
    return `must be YYYY-MM-DD, or an existing ${DATE_TIME_FORM}${hint}`
  }),
)
