import { quoted } from '../skip-reasons.ts'
import { describeDateOrder } from './date-order.ts'
import type { ImportedTable, ImportWarning } from './prepared-import.ts'
import type { RowNote, RowNotes } from './row-notes.ts'

const SENTENCES: Record<RowNote, (rows: string) => string> = {
  double_encoded: (rows) =>
    `${rows} double-encoded text (such as "Ã©" for "é"), imported as it is: --repair-encoding mends it`,
  repaired: (rows) => `${rows} double-encoded text, which was mended`,
  damaged_text: (rows) => `${rows} the sign � where letters were lost before the file came here`,
  link_left_out: (rows) => `${rows} an address that is no web link: left out`,
  language_left_out: (rows) => `${rows} a language that is not known: left out`,
  metadata_cut: (rows) => `${rows} metadata beyond 32 entries or 512 characters: cut`,
  unknown_status: (rows) => `${rows} a status that is not known: imported as hidden`,
  unknown_source: (rows) =>
    `${rows} a platform without a name here: imported as "custom", the name is in metadata.source_name`,
  html_decoded: (rows) => `${rows} HTML codes (&amp;, <br>), as the file has them: read as their characters`,
  html_left: (rows) =>
    `${rows} what looks like HTML (&amp;, <br>) and may be meant so: left as it is; --decode-html reads it`,
  future_date: (rows) => `${rows} a date in the future: imported as it is`,
  translation_only: (rows) => `${rows} a translation without its original: imported as the text`,
}

/** The notes of an import as sentences, each with where it was seen first. */
export function warningsOf(
  tables: readonly ImportedTable[],
  notes: RowNotes,
  repeated: { count: number; different: number },
): ImportWarning[] {
  const warnings: ImportWarning[] = []
  for (const table of tables) {
    for (const note of table.notes) warnings.push({ code: 'file', message: `${table.file}: ${note}`, count: 0 })
    if (table.encoding === 'Windows-1252')
      warnings.push({
        code: 'file',
        message: `${table.file} is not in UTF-8 and was read as Windows-1252, for Western European letters: where they are wrong, save it as "CSV UTF-8" before it is imported`,
        count: 0,
      })
    if (table.encoding === 'UTF-8 with Windows-1252 lines')
      warnings.push({
        code: 'file',
        message: `${table.file}: some lines are Windows-1252 among UTF-8, read line by line`,
        count: 0,
      })
    if (table.dates && table.dates.because !== 'chosen')
      warnings.push({
        code: 'dates',
        message:
          tables.length > 1 ? `${table.file}: ${describeDateOrder(table.dates)}` : describeDateOrder(table.dates),
        count: table.dates.rows,
      })
    for (const [field, others] of Object.entries(table.plan.alternatives))
      if (field === 'text' || field === 'date' || field === 'rating') {
        const index = table.plan.fields[field]?.[0] ?? 0
        const message = `${table.file}: the ${field} is taken from "${table.headers[index]}"; it could also be ${others.map((other) => `"${other}"`).join(', ')} (--map ${field}=…)`
        warnings.push({ code: 'choice', message, count: 0 })
      }
  }
  for (const [note, { count, at }] of notes) {
    const rows = count === 1 ? '1 row has' : `${count} rows have`
    const places = at.map(({ table, line, example }) => {
      const file = tables.length > 1 ? `${tables[table]?.file} ` : ''
      const unit = /csv|jsonl/.test(tables[table]?.fileType ?? '') ? 'line' : 'item'
      return `${file}${unit} ${line}${example === undefined ? '' : ` ${quoted(example)}`}`
    })
    warnings.push({
      code: note,
      message: `${SENTENCES[note](rows)} (${places.join(', ')}${count > at.length ? ', …' : ''})`,
      count,
    })
  }
  if (repeated.count > 0) {
    const different =
      repeated.different > 0
        ? `; ${repeated.different} of them with another text: if the id column is not the reviews' own, leave it out with --map id=`
        : ''
    warnings.push({
      code: 'repeated',
      message: `${repeated.count} ${repeated.count === 1 ? 'row is' : 'rows are'} a review that a later row holds again; the last one counts${different}`,
      count: repeated.count,
    })
  }
  return warnings
}
