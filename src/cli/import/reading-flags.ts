import { Flags, type Interfaces } from '@oclif/core'
import type { ImportOptions } from '../../importer/formats/mapping.ts'
import { sourceFlag } from '../flags/connection.ts'
import { repeatedFlag } from '../flags/repeated.ts'
import { parseMapFlags, parseMetadataFlag } from './format-flags.ts'
import { loadMapping } from './saved-mappings.ts'

/** The flags of `pullquote reviews import` that say how a file is read. */
export const readingFlags = {
  map: repeatedFlag({
    description: 'a column for a field, as text=Comment; an empty one leaves the field out',
    helpValue: 'FIELD=COLUMN',
  }),
  metadata: Flags.string({
    description: 'further columns to keep: all, none, or names with commas',
    helpValue: 'COLUMNS',
  }),
  source: sourceFlag('source of all rows, whatever the file says'),
  'day-first': Flags.boolean({
    description: 'read 1/2/2026 as the first of February, or not; by default the file decides',
    allowNo: true,
  }),
  'decode-html': Flags.boolean({
    description: 'read &amp; and <br> in reviews as what they stand for, or not; by default the file decides',
    allowNo: true,
  }),
  'repair-encoding': Flags.boolean({ description: 'mend double-encoded text, such as Ã© for é' }),
  mapping: Flags.string({ description: 'a saved mapping, or a file of one', helpValue: 'NAME' }),
  force: Flags.boolean({ description: 'import reviews that the account owner wrote' }),
}

/**
 * The saved mapping, if one is named, with what the flags say instead.
 *
 * @throws {CliError | ImporterError} a mapping that is not there, or flags that are none
 */
export async function importOptions(
  flags: Interfaces.InferredFlags<typeof readingFlags>,
  format: string | undefined,
  configDir: string,
): Promise<ImportOptions> {
  const saved = flags.mapping === undefined ? {} : await loadMapping(configDir, flags.mapping)
  const map = { ...saved.map, ...parseMapFlags(flags.map ?? []) }
  return {
    ...saved,
    map: Object.keys(map).length > 0 ? map : undefined,
    format: format ?? saved.format,
    metadata: flags.metadata === undefined ? saved.metadata : parseMetadataFlag(flags.metadata),
    source: flags.source ?? saved.source,
    dayFirst: flags['day-first'] ?? saved.dayFirst,
    decodeHtml: flags['decode-html'] ?? saved.decodeHtml,
    repairEncoding: flags['repair-encoding'] ?? saved.repairEncoding,
    force: flags.force ?? saved.force,
  }
}
