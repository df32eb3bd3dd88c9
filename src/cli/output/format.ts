import type { Terminal } from './terminal.ts'

// Hard-coded: loading the two `Intl` formatters takes 0.013 s, a tenth of a whole command.
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec']

const UNITS: [unit: string, seconds: number][] = [
  ['year', 365.25 * 86_400],
  ['month', 30.44 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** `3 weeks ago`, `1 day ago`, `in 2 hours`, in whole units counted from `now`: 47 hours are 1 day. */
export function ago(date: Date, now: Date): string {
  const seconds = (date.getTime() - now.getTime()) / 1000
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return relative(Math.trunc(seconds / size), unit)
  }
  return 'just now'
}

/** A relative time on a terminal, the timestamp itself in a pipe, `never` for null. */
export function momentText(at: string | null, now: Date, { interactive }: Pick<Terminal, 'interactive'>): string {
  return at !== null && interactive ? ago(new Date(at), now) : (at ?? 'never')
}

/** @param count not 0 */
function relative(count: number, unit: string): string {
  const number = Math.abs(count)
  const many = `${number} ${unit}${number === 1 ? '' : 's'}`
  return count < 0 ? `${many} ago` : `in ${many}`
}

/** `12 Mar 2026 (3 weeks ago)`; dates are shown in UTC, as the API gives them. */
export function dayAndAge(iso: string | null, now: Date): string {
  if (iso === null) return 'no date'
  const date = new Date(iso)
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()} (${ago(date, now)})`
}

/** `45 s`, `3 min`, `2 h`, `11 days`. */
export function formatDuration(seconds: number): string {
  if (seconds < 120) return `${Math.ceil(seconds)} s`
  if (seconds < 7_200) return `${Math.ceil(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.ceil(seconds / 3_600)} h`
  return `${Math.ceil(seconds / 86_400)} days`
}

/** `★★★★☆`, or `unrated`. */
export function stars(rating: number | null): string {
  if (rating === null) return 'unrated'
  return '★'.repeat(rating) + '☆'.repeat(5 - rating)
}

/** `Google`; `custom` stays as it is. */
export function sourceName(source: string): string {
  return source === 'custom' ? source : capitalize(source)
}

export function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

/** Enough characters to be unique in most projects. */
const SHORT_ID_LENGTH = 8

/** The prefix of an id that is shown for it, which commands accept. */
export function shortId(id: string): string {
  return id.slice(0, SHORT_ID_LENGTH)
}

/** Short on a terminal, full in a pipe. */
export function displayId(id: string, { interactive }: Pick<Terminal, 'interactive'>): string {
  return interactive ? shortId(id) : id
}
