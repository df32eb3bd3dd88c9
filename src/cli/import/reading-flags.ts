import { Flags, type Interfaces } from '@oclif/core'
import { IMPORT_FORMATS } from '../../importer/formats/known-formats.ts'
import { type ImportOptions, isPastDay, MISSING_CHOICES, parseMapArguments } from '../../importer/formats/mapping.ts'
import { ImporterError, type ImporterErrorCode } from '../../importer/importer-error.ts'
import { isEncodingName } from '../../importer/read/encodings/legacy-encodings.ts'
import { type CliError, usageError } from '../errors/cli-error.ts'
import { closest } from '../errors/closest.ts'
import { parseMetadata, repeatedFlag, sourceFlag } from '../flags.ts'
import { loadMapping } from './saved-mappings.ts'

/** The names that --format accepts. */
export const FORMAT_NAMES = IMPORT_FORMATS.map(({ name }) => name)

/** The flags of `pullquote reviews import` that say how a file is read. */
export const readingFlags = {
  format: Flags.string({ description: 'the format, if it is not recognised', helpValue: 'NAME' }),
  map: repeatedFlag({
    description: 'the column of a field, such as text=Comment; an empty one leaves the field out',
    helpValue: 'FIELD=COLUMN',
  }),
  metadata: Flags.string({
    description: 'further columns to keep: all, none, or names separated by commas',
    helpValue: 'COLUMNS',
  }),
  'set-metadata': repeatedFlag({
    description: 'metadata of all rows, such as location=leeds, instead of what the file says; can be repeated',
    helpValue: 'KEY=VALUE',
  }),
  source: sourceFlag('the source of all rows, instead of what the file says'),
  'day-first': Flags.boolean({
    description: 'read 1/2/2026 as the first of February, or not; by default the file decides',
    allowNo: true,
  }),
  'rating-scale': Flags.integer({
    description: 'the best possible rating if it is not 5, such as 10: ratings are converted to stars',
    helpValue: '10',
    min: 2,
    max: 100,
  }),
  'as-of': Flags.string({
    description:
      'the day on which the file was made: "3 months ago" is counted back from it, and a month alone stands for its first day',
    helpValue: '2026-01-31',
  }),
  date: Flags.string({
    description: 'the day of all reviews in a file without dates',
    helpValue: '2026-01-31',
  }),
  'decode-html': Flags.boolean({
    description: 'decode HTML such as &amp; and <br> in reviews, or not; by default the file decides',
    allowNo: true,
  }),
  encoding: Flags.string({
    description: 'the encoding of a file that is not in UTF-8, if it is not recognised',
    helpValue: 'windows-1250',
  }),
  'repair-encoding': Flags.boolean({ description: 'repair double-encoded text, such as Ã© for é' }),
  missing: Flags.option({
    description:
      'what to do with reviews that are no longer in a newer export: list them (default), hide them, or hide many of them (over a third)',
    options: MISSING_CHOICES,
  })(),
  mapping: Flags.string({ description: 'a saved mapping, or a mapping file', helpValue: 'NAME' }),
  force: Flags.boolean({
    description:
      'import reviews that the account owner wrote, that replace others with the same id, or that are stored under another id',
  }),
}

/**
 * The saved mapping, if one is named, overridden by the flags.
 *
 * @throws {CliError | ImporterError} when the mapping does not exist or a flag's value is invalid
 */
export async function importOptions(
  flags: Interfaces.InferredFlags<typeof readingFlags>,
  configDir: string,
): Promise<ImportOptions> {
  const saved = flags.mapping === undefined ? {} : await loadMapping(configDir, flags.mapping)
  const map = { ...saved.map, ...parseMapFlags(flags.map ?? []) }
  return {
    ...saved,
    profile: flags.format ?? saved.profile,
    map: Object.keys(map).length > 0 ? map : undefined,
    metadata: flags.metadata === undefined ? saved.metadata : parseMetadataFlag(flags.metadata),
    set_metadata: parseMetadata(flags['set-metadata'], '--set-metadata') ?? saved.set_metadata,
    source: flags.source ?? saved.source,
    day_first: flags['day-first'] ?? saved.day_first,
    rating_scale: flags['rating-scale'] ?? saved.rating_scale,
    as_of: pastDay('as-of', flags['as-of']) ?? saved.as_of,
    date: pastDay('date', flags.date) ?? saved.date,
    decode_html: flags['decode-html'] ?? saved.decode_html,
    encoding: knownEncoding(flags.encoding) ?? saved.encoding,
    repair_encoding: flags['repair-encoding'] ?? saved.repair_encoding,
    missing: flags.missing ?? saved.missing,
    force: flags.force ?? saved.force,
  }
}

/**
 * Tells apart the stored profile and the format that --profile and --format name. Before --format existed, --profile
 * named formats; without --format it still does.
 *
 * @param stored the names of the stored profiles
 * @returns the connection profile and the format
 * @throws {CliError} usage; also when --profile alone may mean either a stored profile or a format
 */
export function parseFormat(
  { format, profile = [] }: { format?: string | undefined; profile?: string[] | undefined },
  stored: readonly string[],
): { connection: string | undefined; format: string | undefined } {
  const formats = format === undefined ? profile.filter(isFormatName) : []
  const connections = profile.filter((name) => !formats.includes(name))
  const both = formats.find((name) => stored.includes(name))
  if (both !== undefined) {
    throw usageError(
      `--profile ${both} may mean the stored profile or the format of that name`,
      `for the format: --format ${both.toLowerCase()}`,
      `for the profile: give --format as well, or set PULLQUOTE_PROFILE=${both}`,
    )
  }
  if (formats.length > 1 || connections.length > 1)
    throw usageError(`--profile is given twice: ${profile.join(', ')}`, 'give one format and one stored profile')
  const [connection] = connections
  if (connection !== undefined && !stored.includes(connection)) {
    if (format !== undefined)
      throw usageError(`there is no stored profile ${connection}`, 'the format is given with --format')
    throw unknownName(`--profile ${connection} is neither a stored profile nor a format`, connection, stored)
  }
  if (format !== undefined && !isFormatName(format)) throw unknownName(`there is no format ${format}`, format, [])
  return { connection, format: (format ?? formats[0])?.toLowerCase() }
}

/** Whether a format has this name; a stored profile may have it as well. */
export function isFormatName(name: string): boolean {
  return FORMAT_NAMES.includes(name.toLowerCase())
}

function unknownName(message: string, name: string, others: readonly string[]): CliError {
  const alike = FORMAT_NAMES.filter((format) => format.startsWith(name.toLowerCase()))
  const near = alike.length > 0 ? alike.join(' or ') : closest(name, [...FORMAT_NAMES, ...others])
  return usageError(message, near === undefined ? `the formats: ${FORMAT_NAMES.join(', ')}` : `did you mean ${near}?`)
}

function pastDay(flag: string, value: string | undefined): string | undefined {
  if (value === undefined || isPastDay(value)) return value
  throw usageError(`--${flag} ${value} is not a day, or is in the future`, `write it as --${flag} 2026-01-31`)
}

function knownEncoding(value: string | undefined): string | undefined {
  if (value === undefined || isEncodingName(value)) return value
  throw usageError(
    `--encoding ${value} is not a known encoding`,
    'use a name such as windows-1250, cp852, macintosh or shift_jis',
  )
}

/** Parses --metadata: all, none, or names separated by commas. */
function parseMetadataFlag(value: string): ImportOptions['metadata'] {
  if (value === 'all' || value === 'none') return value
  return value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** @throws {CliError} usage */
function parseMapFlags(given: readonly string[]): ReturnType<typeof parseMapArguments> {
  try {
    return parseMapArguments(given)
  } catch (error) {
    throw asUsageError(error, 'bad_mapping')
  }
}

/** Converts an importer error with this code into a usage error; returns others unchanged. */
export function asUsageError(error: unknown, code: ImporterErrorCode): unknown {
  return error instanceof ImporterError && error.code === code ? usageError(error.message.replace(/\.$/, '')) : error
}
