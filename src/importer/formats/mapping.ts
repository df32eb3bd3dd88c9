import * as v from 'valibot'
import { metadata } from '../../contract/metadata.ts'
import { source } from '../../contract/review.ts'
import { DAY_MS } from '../../contract/timestamp.ts'
import { validate } from '../../contract/validate.ts'
import { ImporterError } from '../importer-error.ts'
import { isEncodingName } from '../read/encodings/legacy-encodings.ts'

/** The fields to which a user can map a column. */
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
/** Also the fields that only formats assign. */
export type Field = MappableField | 'title' | 'translation' | 'hidden_words'

const columnName = v.pipe(v.string(), v.maxLength(1_000, 'must have at most 1,000 characters'))
const SCALE = 'must be a whole number from 2 to 100'

/** `hide-many` hides even when more than a third of the stored reviews is missing, or rows could not be read. */
export const MISSING_CHOICES = ['list', 'hide', 'hide-many'] as const

/** Whether a value is a day, as `YYYY-MM-DD`, on which a file or a review can have been written. */
export function isPastDay(value: string): boolean {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(value) ? new Date(`${value}T00:00:00Z`) : undefined
  if (!at || Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== value) return false
  // In the easternmost time zones it is already tomorrow.
  return at.getUTCFullYear() >= 1990 && at.getTime() <= Date.now() + DAY_MS
}

const day = v.pipe(v.string(), v.check(isPastDay, 'must be a day that is not in the future, such as 2026-01-31'))

/** How a file is read: the format of a saved mapping, and the settings of an upload. What is unset is inferred. */
export const importOptions = v.strictObject({
  /** A format by name. The key predates connection profiles, and saved mappings contain it. */
  profile: v.optional(v.string()),
  /** Columns by field; an empty name means that the file has no such column. */
  map: v.optional(v.strictObject(v.entriesFromList(MAPPABLE_FIELDS, v.optional(columnName)))),
  /** Other columns to keep as metadata; the format decides unless set. */
  metadata: v.optional(
    v.union([v.picklist(['all', 'none']), v.array(columnName)], 'must be "all", "none" or a list of columns'),
  ),
  /** Metadata of every row, overriding the file's: a file of one location seldom says which. */
  set_metadata: v.optional(metadata),
  /** The source of every row, overriding the file's. */
  source: v.optional(source),
  day_first: v.optional(v.boolean()),
  /** The order of slash dates when no row of the file proves one. */
  day_first_when_unclear: v.optional(v.boolean()),
  /** The scale of bare ratings: from 1 to 10, for example, they are converted to stars. */
  rating_scale: v.optional(v.pipe(v.number(), v.integer(SCALE), v.minValue(2, SCALE), v.maxValue(100, SCALE))),
  /** The day on which the file was made: relative dates count back from it, and a month alone means its first day. */
  as_of: v.optional(day),
  /** The date of all reviews, for a file without dates. */
  date: v.optional(day),
  /** Whether to decode HTML entities and `<br>` in texts. */
  decode_html: v.optional(v.boolean()),
  /** For files that are neither UTF-8 nor UTF-16. */
  encoding: v.optional(v.pipe(v.string(), v.check(isEncodingName, 'must be an encoding, such as "windows-1250"'))),
  repair_encoding: v.optional(v.boolean()),
  /** What to do with reviews missing from a newer export; only listed unless set. */
  missing: v.optional(v.picklist(MISSING_CHOICES, `must be one of ${MISSING_CHOICES.join(', ')}`)),
  /** Imports what is otherwise refused, such as reviews that the account's owner wrote. */
  force: v.optional(v.boolean()),
})
export type ImportOptions = v.InferOutput<typeof importOptions>

/**
 * Validates a saved mapping.
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
 * Parses `--map` arguments such as `text=Comment` and `date="Created on"`.
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
        `"${argument}" is not a mapping: write FIELD=COLUMN, where FIELD is one of ${MAPPABLE_FIELDS.join(', ')}.`,
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

/** Merges the given options with those of the import that skipped the rows; the given ones win. */
export function mergeOptions(options: ImportOptions, before: ImportOptions = {}): ImportOptions {
  const said = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  return { ...before, ...said, ...(before.map && { map: { ...before.map, ...options.map } }) }
}
