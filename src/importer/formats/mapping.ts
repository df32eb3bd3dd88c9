import * as v from 'valibot'
import { type Source, source } from '../../contract/review.ts'
import { validate } from '../../contract/validate.ts'
import { ImporterError } from '../importer-error.ts'

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
] as const
export type MappableField = (typeof MAPPABLE_FIELDS)[number]
/** The further meanings that formats know. */
export type Field = MappableField | 'title' | 'status' | 'translation'

/** Which of the other columns are kept as metadata: the format's own choice unless set. */
export type MetadataChoice = 'all' | 'none' | readonly string[]

export interface ImportOptions {
  /** A format by name; detected unless set. */
  format?: string | undefined
  /** Columns by field; an empty name means that the field has no column. */
  map?: Partial<Record<MappableField, string>> | undefined
  metadata?: MetadataChoice | undefined
  /** The source of every row, whatever the file says. */
  source?: Source | undefined
  dayFirst?: boolean | undefined
  /** How slash dates are read in files whose rows prove nothing; files that prove an order are read by it. */
  dayFirstWhenUnclear?: boolean | undefined
  /** HTML codes and `<br>` in texts; decided by the file when absent. */
  decodeHtml?: boolean | undefined
  repairEncoding?: boolean | undefined
  /** Imports what is refused with an explanation, such as reviews that the account's owner wrote. */
  force?: boolean | undefined
}

const columnName = v.pipe(v.string(), v.maxLength(1_000))

/** A saved mapping, as a JSON file or as the settings of an upload. */
export const mappingFile = v.strictObject({
  profile: v.optional(v.string()),
  map: v.optional(v.strictObject(v.entriesFromList(MAPPABLE_FIELDS, v.optional(columnName)))),
  metadata: v.optional(
    v.union([v.picklist(['all', 'none']), v.array(columnName)], 'must be "all", "none" or a list of columns'),
  ),
  source: v.optional(source),
  day_first: v.optional(v.boolean()),
  day_first_when_unclear: v.optional(v.boolean()),
  decode_html: v.optional(v.boolean()),
  repair_encoding: v.optional(v.boolean()),
  force: v.optional(v.boolean()),
})
export type MappingFile = v.InferOutput<typeof mappingFile>

/**
 * Reads a saved mapping.
 *
 * @param input the parsed JSON
 * @throws ImporterError `bad_mapping` naming every finding
 */
export function parseMapping(input: unknown): ImportOptions {
  const checked = validate(mappingFile, input)
  if (!checked.ok) {
    const findings = checked.details.map((detail) => `${detail.path} ${detail.message}`)
    throw new ImporterError('bad_mapping', `The mapping is not valid: ${findings.join('; ')}.`, findings)
  }
  const {
    profile: format,
    day_first: dayFirst,
    day_first_when_unclear: dayFirstWhenUnclear,
    decode_html: decodeHtml,
    repair_encoding: repairEncoding,
    map,
    ...rest
  } = checked.value
  return {
    ...rest,
    map: map as ImportOptions['map'],
    format,
    dayFirst,
    dayFirstWhenUnclear,
    decodeHtml,
    repairEncoding,
  }
}

/** The JSON of a saved mapping; what is not set is left out. */
export function serializeMapping(options: ImportOptions): MappingFile {
  const { format, dayFirst, dayFirstWhenUnclear, decodeHtml, repairEncoding, metadata, map, source, force } = options
  return {
    ...(format !== undefined && { profile: format }),
    ...(map !== undefined && { map }),
    ...(metadata !== undefined && { metadata: typeof metadata === 'string' ? metadata : [...metadata] }),
    ...(source !== undefined && { source }),
    ...(dayFirst !== undefined && { day_first: dayFirst }),
    ...(dayFirstWhenUnclear !== undefined && { day_first_when_unclear: dayFirstWhenUnclear }),
    ...(decodeHtml !== undefined && { decode_html: decodeHtml }),
    ...(repairEncoding !== undefined && { repair_encoding: repairEncoding }),
    ...(force !== undefined && { force }),
  }
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
    map[field] = argument
      .slice(at + 1)
      .trim()
      .replace(/^(["'])(.*)\1$/s, '$2')
  }
  return map
}
