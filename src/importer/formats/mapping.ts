import * as v from 'valibot'
import { source } from '../../contract/review.ts'
import { validate } from '../../contract/validate.ts'
import { ImporterError } from '../importer-error.ts'
import { isEncodingName } from '../read/legacy-encodings.ts'

/** What a user can map a column to. */
export const MAPPABLE_FIELDS = [
  'text',
  'date',
  'rating',
  'author',
  'avatar',
  'url',
  'language',
  'source',
  'id',
  'status',
] as const
export type MappableField = (typeof MAPPABLE_FIELDS)[number]
/** The further meanings that formats know. */
export type Field = MappableField | 'title' | 'translation'

const columnName = v.pipe(v.string(), v.maxLength(1_000))

/** `hide-many`: also where more than a third of what is stored is missing, or rows could not be read. */
export const MISSING_CHOICES = ['list', 'hide', 'hide-many'] as const

/** Where the day begins first it is tomorrow already. */
const MOST_AHEAD_MS = 86_400_000

/** Whether something is a day as `YYYY-MM-DD` that has come: of which a file can be, and reviews. */
export function isPastDay(value: string): boolean {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(value) ? new Date(`${value}T00:00:00Z`) : undefined
  if (!at || Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== value) return false
  return at.getUTCFullYear() >= 1990 && at.getTime() <= Date.now() + MOST_AHEAD_MS
}

const day = v.pipe(v.string(), v.check(isPastDay, 'must be a day that has come, such as 2026-01-31'))

/** How a file is read: a saved mapping as JSON, and the settings of an upload. What is not set the file decides. */
export const importOptions = v.strictObject({
  /** A format by name. It was called so before connections had profiles, and saved mappings hold it by this name. */
  profile: v.optional(v.string()),
  /** Columns by field; an empty name means that the field has no column. */
  map: v.optional(v.strictObject(v.entriesFromList(MAPPABLE_FIELDS, v.optional(columnName)))),
  /** Which of the other columns are kept as metadata: the format's own choice unless set. */
  metadata: v.optional(
    v.union([v.picklist(['all', 'none']), v.array(columnName)], 'must be "all", "none" or a list of columns'),
  ),
  /** The source of every row, whatever the file says. */
  source: v.optional(source),
  day_first: v.optional(v.boolean()),
  /** How slash dates are read in files whose rows prove nothing; files that prove an order are read by it. */
  day_first_when_unclear: v.optional(v.boolean()),
  /** The best that a bare number may be as a rating: those of a file of 1 to 10 become stars by it. */
  rating_scale: v.optional(v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(100))),
  /** The day on which a file was made: dates that say how long ago are counted back from it, months alone are their first days. */
  as_of: v.optional(day),
  /** The day of all reviews of a file that has no dates. */
  date: v.optional(day),
  /** HTML codes and `<br>` in texts. */
  decode_html: v.optional(v.boolean()),
  /** Of files that are neither UTF-8 nor UTF-16 by their bytes. */
  encoding: v.optional(
    v.pipe(v.string(), v.maxLength(40), v.check(isEncodingName, 'must be an encoding, such as "windows-1250"')),
  ),
  repair_encoding: v.optional(v.boolean()),
  /** What becomes of reviews that a newer export does not hold any more: told unless set. */
  missing: v.optional(v.picklist(MISSING_CHOICES)),
  /** Imports what is refused with an explanation, such as reviews that the account's owner wrote. */
  force: v.optional(v.boolean()),
})
export type ImportOptions = v.InferOutput<typeof importOptions>

/**
 * Reads a saved mapping.
 *
 * @param input the parsed JSON
 * @throws ImporterError `bad_mapping` naming every finding
 */
export function parseMapping(input: unknown): ImportOptions {
  const checked = validate(importOptions, input)
  if (checked.ok) return checked.value
  const findings = checked.details.map((detail) => `${detail.path} ${detail.message}`)
  throw new ImporterError('bad_mapping', `The mapping is not valid: ${findings.join('; ')}.`, findings)
}

/**
 * Reads `--map` arguments such as `text=Comment` and `date="Created on"`.
 *
 * @throws ImporterError `bad_mapping`
 */
export function parseMapArguments(given: readonly string[]): Partial<Record<MappableField, string>> {
  const map: Partial<Record<MappableField, string>> = {}
  for (const argument of given) {
    const at = argument.indexOf('=')
    const field = MAPPABLE_FIELDS.find((name) => name === argument.slice(0, Math.max(at, 0)).trim().toLowerCase())
    if (!field)
      throw new ImporterError(
        'bad_mapping',
        `"${argument}" is no mapping: write FIELD=COLUMN, where FIELD is one of ${MAPPABLE_FIELDS.join(', ')}.`,
      )
    const column = argument
      .slice(at + 1)
      .trim()
      .replace(/^(["'])(.*)\1$/s, '$2')
    if (map[field] !== undefined && map[field] !== column)
      throw new ImporterError('bad_mapping', `${field} is mapped twice, to "${map[field]}" and to "${column}".`)
    map[field] = column
  }
  return map
}

/** How a table is read: as it is said now, and else as the import read it that skipped its rows. */
export function readingOf(options: ImportOptions, before: ImportOptions = {}): ImportOptions {
  const said = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  return { ...before, ...said, ...(before.map && { map: { ...before.map, ...options.map } }) }
}
