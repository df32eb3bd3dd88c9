import { ImporterError } from '../importer-error.ts'
import { normalizeHeader } from '../read/headers.ts'
import type { RawRow, Table } from '../read/table.ts'
import type { ImportFormat } from './format.ts'
import { IMPORT_FORMATS } from './known-formats.ts'

const SHAPES = {
  csv: 'a CSV file',
  xlsx: 'a sheet',
  json: 'a JSON list',
  jsonl: 'JSON lines',
  geojson: 'GeoJSON features',
  xml: 'XML elements',
}

/** Whom Glassdoor and Indeed name instead of an author. */
const EMPLOYEE =
  /\b(?:current|former) (?:employee|contractor|intern)\b|\b(?:aktueller|ehemaliger) mitarbeiter\b|\bemployée? actuel|\bancien(?:ne)? employé|\bempleado actual\b|\bex-?empleado\b|\baktuelle\(r\) mitarbeiter|\behemalige\(r\) mitarbeiter|\bfuncionári[oa](?:\(a\))? atual\b|\bex-funcionári[oa]|\bdipendente attuale\b|\bex[- ]dipendente\b|\b(?:huidige|voormalige) (?:werknemer|medewerker)\b/i
const LONGEST_EMPLOYEE = 100
/** Where only employees review. */
const OF_EMPLOYER = /^https?:\/\/(?:[\w-]+\.){0,3}(?:glassdoor\.[a-z.]+\/|kununu\.com\/|indeed\.[a-z.]+\/cmp\/)/i

/**
 * Detects the format of a table by its headers and file type; the generic one when no vendor's fits.
 *
 * @param sample the first rows, which tell who wrote the reviews
 * @param chosen the name of a format that the user chose, which wins
 * @returns the format, and the reason as `--explain` shows it
 * @throws ImporterError `unknown_profile`
 */
export function detectFormat(
  table: Table,
  sample: readonly RawRow[],
  chosen: string | undefined,
): { format: ImportFormat; reason: string } {
  if (chosen !== undefined) return { format: findFormat(chosen), reason: 'chosen with --format' }
  const present = new Set(table.headers.map(normalizeHeader))
  const isThere = (header: string) => present.has(normalizeHeader(header))
  let best: { format: ImportFormat; found: Set<string> } | undefined
  for (const format of IMPORT_FORMATS) {
    if (format.needs === '' || (format.fileTypes && !format.fileTypes.includes(table.fileType))) continue
    if (namesIn(format.unless).some(isThere)) continue
    const needed = namesIn(format.needs).map((need) => need.split('|').find(isThere))
    if (needed.includes(undefined)) continue
    const names = needed.filter((name) => name !== undefined)
    const found = new Set([...names, ...namesIn(format.hints).filter(isThere)])
    if (!best || found.size > best.found.size) best = { format, found }
  }
  if (!best && areEmployees(sample))
    return { format: findFormat('employer-reviews'), reason: 'its reviews are by current and former employees' }
  if (!best) {
    const reason = 'no known export has these columns: they are matched by name'
    return { format: findFormat('generic'), reason }
  }
  const { format, found } = best
  const columns = [...found].join(', ')
  return { format, reason: `${SHAPES[table.fileType]} with the columns ${columns}, as ${format.label} has them` }
}

function areEmployees(sample: readonly RawRow[]): boolean {
  const isEmployee = (cell: string) =>
    (cell.length <= LONGEST_EMPLOYEE && EMPLOYEE.test(cell)) || OF_EMPLOYER.test(cell)
  return sample.filter(({ cells }) => cells.some(isEmployee)).length > sample.length / 2
}

/** @throws ImporterError `unknown_profile` */
export function findFormat(name: string): ImportFormat {
  const format = IMPORT_FORMATS.find((candidate) => candidate.name === name.trim().toLowerCase())
  if (format) return format
  const names = IMPORT_FORMATS.map((candidate) => candidate.name)
  throw new ImporterError('unknown_profile', `There is no format "${name}". The formats are: ${names.join(', ')}.`)
}

function namesIn(list: string | undefined): string[] {
  return list?.split(', ') ?? []
}
