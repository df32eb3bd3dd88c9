import type { ReviewInput } from '../../contract/review.ts'
import type { ColumnPlan } from '../../importer/formats/column-plan.ts'
import { type ImportOptions, mergeOptions } from '../../importer/formats/mapping.ts'
import type { ImporterError } from '../../importer/importer-error.ts'
import { openTables } from '../../importer/read/open-tables.ts'
import type { InputFile, RawRow, Table } from '../../importer/read/table.ts'
import { countSlashDates, type DateOrder, describeDateOrder, orderBySiblings } from '../../importer/rows/date-order.ts'
import { isFileError, planTable } from '../../importer/rows/prepare.ts'
import type { TableConventions } from '../../importer/rows/row.ts'
import { TablePass } from '../../importer/rows/table-pass.ts'

/** How a table would be read, judged by its first rows. */
export interface Preview {
  table: Table
  plan: ColumnPlan
  sample: RawRow[]
  /** How its slash dates are read; only set on request, since it takes a pass over all rows. */
  dates?: DateOrder | undefined
}

/**
 * Previews the tables of a file without importing. Tables of an archive that cannot be imported are skipped, as in the
 * import.
 *
 * @param withDates reads all rows to determine the order of their dates
 * @throws ImporterError as the import itself would
 */
export async function previewOf(file: InputFile, options: ImportOptions, withDates = false): Promise<Preview[]> {
  const previews: Preview[] = []
  let fault: ImporterError | undefined
  const isArchive = file.bytes[0] === 0x50 && file.bytes[1] === 0x4b
  for await (const table of openTables(file, options, isArchive ? () => {} : undefined)) {
    try {
      const planned = { table, ...(await planTable(table, options)) }
      const dates = withDates
        ? (await countSlashDates(table, planned.plan)).order(table, planned.plan, mergeOptions(options, table.readAs))
        : undefined
      previews.push({ ...planned, dates })
    } catch (error) {
      if (!isArchive || !isFileError(error)) throw error
      fault = error
    }
  }
  if (previews.length === 0 && fault) throw fault
  const siblings = orderBySiblings(previews.map(({ table, plan, dates }) => ({ ...table, plan, dates })))
  return previews.map((preview, place) => ({ ...preview, dates: siblings.get(place) ?? preview.dates }))
}

/** The first three rows as they would be stored. */
export function sampleReviews({ table, plan, sample, dates }: Preview, given: ImportOptions): ReviewInput[] {
  const options = mergeOptions(given, table.readAs)
  const dayFirst = options.day_first ?? dates?.dayFirst ?? options.day_first_when_unclear ?? false
  const read = (known: Pick<TableConventions, 'otherScale' | 'croatianMonths' | 'yearFirst'>) => {
    const conventions = { dayFirst, decodeHtml: options.decode_html ?? false, ...known }
    const pass = new TablePass(table, 0, plan, options, conventions)
    pass.take(sample)
    return pass
  }
  const { otherScale, croatianMonths, yearFirst } = read({
    otherScale: undefined,
    croatianMonths: false,
    yearFirst: false,
  })
  return read({ otherScale, croatianMonths, yearFirst })
    .rows.slice(0, 3)
    .map(({ review }) => review)
}

/** The lines of `--explain`. */
export function explain({ table, plan, dates }: Preview, options: ImportOptions): string[] {
  const { headers, readAs } = table
  const { source, set_metadata: set = {} } = mergeOptions(options, readAs)
  const reason = readAs?.profile === plan.format.name ? 'as in the import that skipped these rows' : plan.reason
  const between = (field: string) => {
    if (field === 'status') return ' and '
    return field === 'text' && plan.joinsTexts ? ', then ' : ', else '
  }
  const read = [
    table.fileType.toUpperCase(),
    table.encoding,
    table.delimiter === undefined ? '' : `delimiter ${JSON.stringify(table.delimiter)}`,
  ]
  const lines = [
    `${table.file}: ${read.filter((part) => part !== '').join(', ')}`,
    `  profile   ${plan.format.name} (${plan.format.label}): ${reason}`,
  ]
  for (const [field, indexes] of Object.entries(plan.fields))
    if (indexes.length > 0 && (field !== 'source' || source === undefined))
      lines.push(`  ${field.padEnd(9)} ${indexes.map((index) => `"${headers[index]}"`).join(between(field))}`)
  if (source !== undefined || !plan.fields.source?.length)
    lines.push(`  source    always ${source ?? plan.format.source}`)
  if (dates && dates.because !== 'chosen') lines.push(`  ${describeDateOrder(dates)}`)
  const kept = [
    ...Object.entries(set).map(([key, value]) => `${key} always ${value}`),
    ...plan.metadata.map(({ index, key }) => `"${headers[index]}" as ${key}`),
  ]
  if (kept.length > 0) lines.push(`  metadata  ${kept.join(', ')}`)
  if (plan.unused.length > 0) lines.push(`  left out  ${plan.unused.map((header) => `"${header}"`).join(', ')}`)
  for (const [field, others] of Object.entries(plan.alternatives))
    lines.push(`  ${field} could also be ${others.map((other) => `"${other}"`).join(', ')}`)
  return lines
}
