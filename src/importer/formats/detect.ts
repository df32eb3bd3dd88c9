import { ImporterError } from '../importer-error.ts'
import { normaliseHeader } from '../read/headers.ts'
import type { Table } from '../read/table.ts'
import type { ImportFormat } from './format.ts'
import { IMPORT_FORMATS } from './known-formats.ts'

export interface Detection {
  format: ImportFormat
  /** In words, for `--explain`. */
  reasons: string[]
}

/**
 * The format of a table by its headers and shape; the generic one when no vendor's fits.
 *
 * @param chosen the name of a format that the user gave, which wins
 * @throws ImporterError `unknown_profile`
 */
export function detectFormat(table: Table, chosen: string | undefined): Detection {
  if (chosen !== undefined) return { format: formatNamed(chosen), reasons: ['chosen with --profile'] }
  const present = new Set(table.headers.map(normaliseHeader))
  let best: { format: ImportFormat; found: string[]; needed: string[] } | undefined
  for (const format of IMPORT_FORMATS) {
    if (format.needs.length === 0 || (format.fileTypes && !format.fileTypes.includes(table.fileType))) continue
    if (format.unless?.some((header) => present.has(normaliseHeader(header)))) continue
    const needed = format.needs.map((need) => need.split('|').find((name) => present.has(normaliseHeader(name))))
    if (needed.includes(undefined)) continue
    const names = [...needed.filter((name) => name !== undefined)]
    const found = [...names, ...(format.hints ?? []).filter((hint) => present.has(normaliseHeader(hint)))]
    if (!best || found.length > best.found.length) best = { format, found: [...new Set(found)], needed: names }
  }
  if (best) {
    const shape = { csv: 'a CSV file', json: 'a JSON list', jsonl: 'JSON lines', geojson: 'GeoJSON features' }[
      table.fileType
    ]
    return {
      format: best.format,
      reasons: [`${shape} with the columns ${best.found.join(', ')}, as ${best.format.label} has them`],
    }
  }
  return {
    format: formatNamed('generic'),
    reasons: ['no vendor’s export has these columns: they are matched by their names'],
  }
}

/** @throws ImporterError `unknown_profile` */
export function formatNamed(name: string): ImportFormat {
  const format = IMPORT_FORMATS.find((candidate) => candidate.name === name.trim().toLowerCase())
  if (format) return format
  const names = IMPORT_FORMATS.map((candidate) => candidate.name)
  throw new ImporterError('unknown_profile', `There is no profile "${name}". There are: ${names.join(', ')}.`, names)
}
