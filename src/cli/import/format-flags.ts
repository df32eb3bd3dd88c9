import { IMPORT_FORMATS } from '../../importer/formats/known-formats.ts'
import { type ImportOptions, parseMapArguments } from '../../importer/formats/mapping.ts'
import { ImporterError, type ImporterErrorCode } from '../../importer/importer-error.ts'
import { closest } from '../errors/closest.ts'
import { usageError } from '../errors/failure.ts'

/** The formats by name, as --profile takes them. */
export const FORMAT_NAMES = IMPORT_FORMATS.map(({ name }) => name)

/** A name is a format's, or that of stored connection settings; both may be given. */
export function splitProfiles(
  names: readonly string[],
  stored: readonly string[],
): { connection: string | undefined; format: string | undefined } {
  const formats = names.filter((name) => FORMAT_NAMES.includes(name.toLowerCase()))
  const connections = names.filter((name) => !FORMAT_NAMES.includes(name.toLowerCase()))
  if (formats.length > 1 || connections.length > 1)
    throw usageError(`--profile is given twice: ${names.join(', ')}`, 'name one format, and one of the stored profiles')
  const [connection] = connections
  if (connection !== undefined && !stored.includes(connection)) {
    const alike = FORMAT_NAMES.filter((format) => format.startsWith(connection.toLowerCase()))
    const near = alike.length > 0 ? alike.join(' or ') : closest(connection, [...FORMAT_NAMES, ...stored])
    throw usageError(
      `--profile ${connection} is neither a format nor a stored profile`,
      near === undefined ? `the formats: ${FORMAT_NAMES.join(', ')}` : `did you mean ${near}?`,
    )
  }
  return { connection, format: formats[0]?.toLowerCase() }
}

/** What --metadata says: all, none, or names with commas. */
export function parseMetadataFlag(value: string): ImportOptions['metadata'] {
  if (value === 'all' || value === 'none') return value
  return value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** `--map` as it was given, or a wrong use of the command. */
export function parseMapFlags(given: readonly string[]): ReturnType<typeof parseMapArguments> {
  try {
    return parseMapArguments(given)
  } catch (error) {
    throw asUsageError(error, 'bad_mapping')
  }
}

/** What the importer finds wrong with a flag is a wrong use of the command. */
export function asUsageError(error: unknown, code: ImporterErrorCode): unknown {
  return error instanceof ImporterError && error.code === code ? usageError(error.message.replace(/\.$/, '')) : error
}
