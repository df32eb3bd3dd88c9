import { parseDate } from '../fields/date.ts'
import type { Visibility } from '../fields/visibility.ts'
import { normalizeHeader } from '../read/headers.ts'

/**
 * From when to when content systems show something: Joomla, TYPO3, Craft, Wagtail, Drupal's scheduler. Only both together are
 * theirs: an end alone may be that of an invitation.
 */
const TIMES: readonly (readonly [from: string, until: string])[] = [
  ['publishup', 'publishdown'],
  ['starttime', 'endtime'],
  ['postdate', 'expirydate'],
  ['goliveat', 'expireat'],
  ['publishon', 'unpublishon'],
]

/** TYPO3 writes them so. "Start time" and "endTime" are when somebody filled in a form. */
const AS_WRITTEN = new Set(['starttime', 'endtime'])

/** Whether a column has the time from which, or until which, a row is public. */
export function publishingTime(header: string, headers: readonly string[]): 'from' | 'until' | undefined {
  const name = normalizeHeader(header)
  if (AS_WRITTEN.has(name) && header !== name) return undefined
  const pair = TIMES.find((names) => names.includes(name))
  if (!pair?.every((other) => headers.some((one) => normalizeHeader(one) === other))) return undefined
  return pair[0] === name ? 'from' : 'until'
}

/** What databases write for an end that never comes. */
const NEVER = /^9999-/

/** What such a time means today; undefined where it cannot be read. */
export function visibilityToday(kind: 'from' | 'until', cell: string): Visibility | undefined {
  const parsed = parseDate(cell)
  if (!parsed.ok && !NEVER.test(cell)) return undefined
  const isPast = parsed.ok && parsed.value.getTime() <= Date.now()
  return isPast === (kind === 'from') ? 'shown' : 'hidden'
}
