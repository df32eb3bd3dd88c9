const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365.25 * 86_400],
  ['month', 30.44 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** `3 weeks ago`, counted from `now`. */
export function ago(date: Date, now: Date): string {
  const seconds = (date.getTime() - now.getTime()) / 1000
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit)
  }
  return 'just now'
}

/** `12 Mar 2026 (3 weeks ago)`; dates are shown in UTC, as the API gives them. */
export function dayAndAge(iso: string | null, now: Date): string {
  if (iso === null) return 'no date'
  const date = new Date(iso)
  return `${day.format(date)} (${ago(date, now)})`
}
