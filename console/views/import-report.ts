import { pluralize } from '../../src/contract/counts.ts'
import type { ImportResponse } from '../../src/contract/import.ts'
import { el, type Fact, factList } from '../dom.ts'
import { inPageWords } from './import-words.ts'

/** What an import did or would do: the same report as the command's. */
export function importReport(answer: ImportResponse): HTMLElement {
  return factList([...countFacts(answer), ...fileFacts(answer), ...noteFacts(answer)])
}

function countFacts({ inserted, updated, unchanged, skipped, reasons, dry_run }: ImportResponse): Fact[] {
  return [
    [dry_run ? 'New' : 'Imported', pluralize(inserted, 'review')],
    ['Updated', `${pluralize(updated - unchanged, 'review')}, ${unchanged.toLocaleString('en')} unchanged`],
    ['Left out', pluralize(skipped, 'row')],
    ...Object.entries(reasons).map(([reason, count]): Fact => [`– ${reason.replaceAll('_', ' ')}`, count]),
  ]
}

/** How the files were read, and which were not. */
function fileFacts({ files, passed_over }: ImportResponse): Fact[] {
  const facts: Fact[] = []
  for (const { file, profile, encoding, rows } of files)
    facts.push([file, `read as ${profile}, ${encoding}, ${pluralize(rows, 'row')}`])
  for (const { columns, unused } of files) {
    const from = Object.entries(columns).map(([name, headers]) => `${name} from ${headers.join(' or ')}`)
    facts.push(['Columns', from.join('; ')])
    if (unused.length > 0) facts.push(['Not used', unused.join(', ')])
  }
  for (const { dates } of files) {
    if (!dates) continue
    const order = dates.order === 'day_first' ? 'day before month' : 'month before day'
    const check = dates.because === 'nothing' ? '; nothing in the file shows which, please check' : ''
    facts.push(['Dates', order + check])
  }
  for (const { file, reason } of passed_over) facts.push([`Not imported: ${file}`, reason])
  return facts
}

function noteFacts({ files, warnings, missing, samples }: ImportResponse): Fact[] {
  const facts: Fact[] = []
  for (const { code, message, count } of warnings) {
    // For a single file the dates are reported with the file.
    if (code === 'dates' && files.length <= 1) continue
    facts.push(['Note', inPageWords(count > 1 ? `${message} (${count} times)` : message)])
  }
  for (const { author_name: author, occurred_at: at, text } of (missing?.reviews ?? []).slice(0, 10))
    facts.push(['Missing', el('bdi', author ?? 'no name'), `, ${at.slice(0, 10)}: “`, el('bdi', text), '”'])
  for (const { line, message } of (samples?.skipped ?? []).slice(0, 5))
    facts.push([`Line ${line}`, inPageWords(message)])
  return facts
}
