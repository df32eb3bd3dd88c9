import { formatCount, pluralize } from '../../contract/counts.ts'
import type { ImportResponse } from '../../contract/import.ts'
import { NOT_CORRECTABLE, SKIP_REASONS } from '../../importer/skip-reasons.ts'
import { oneLine, printable, truncate } from '../output/text.ts'

/** Counts the skipped rows that can be corrected; ratings without a text are not an error in the file. */
export function countCorrectable({ reasons }: Pick<ImportResponse, 'reasons'>): number {
  return Object.entries(reasons).reduce((sum, [reason, rows]) => (NOT_CORRECTABLE.has(reason) ? sum : sum + rows), 0)
}

/** Formats whose columns are guessed by name, so an unused column may be one the user wants. */
const GUESSED = new Set(['generic', 'multi-source'])

/** The report of an import for people, as lines. */
export function reportLines(answer: ImportResponse, label: string, errorsPath: string | null): string[] {
  const { inserted, updated, unchanged, skipped, seconds, dry_run: dry } = answer
  const parts = dry
    ? [
        `${formatCount(inserted)} new`,
        `${formatCount(updated - unchanged)} changed`,
        `${formatCount(unchanged)} unchanged`,
        `${formatCount(skipped)} skipped`,
      ]
    : [
        `${formatCount(inserted)} inserted`,
        `${formatCount(updated)} updated (${formatCount(unchanged)} of them unchanged)`,
        `${formatCount(skipped)} skipped`,
      ]
  const lines = [
    `${label} → project ${oneLine(answer.project)}, ${answer.env}: ${parts.join(', ')} in ${seconds.toFixed(1)} s.${dry ? ' Nothing was written.' : ''}`,
  ]
  for (const [reason, rows] of Object.entries(answer.reasons))
    lines.push(`  ${formatCount(rows)} × ${textOf(reason)}${exampleOf(reason, answer)}`)
  for (const { message } of answer.warnings) lines.push(`  Note: ${oneLine(message)}.`)
  lines.push(...missingLines(answer.missing))
  if (answer.files.length > 1)
    for (const { file, rows, profile } of answer.files)
      lines.push(`  Read ${oneLine(file)}: ${pluralize(rows, 'row')} (${profile}).`)
  lines.push(...passedOverLines(answer.passed_over))
  for (const { profile, file, unused } of answer.files)
    if (GUESSED.has(profile) && unused.length > 0)
      lines.push(`  Left out of ${file}: ${unused.join(', ')} (keep columns with --metadata).`)
  if (answer.samples) lines.push(...sampleLines(answer.samples, answer.files))
  if (errorsPath !== null) lines.push(errorsLine(answer, errorsPath))
  return lines.map(printable)
}

/** The first row skipped for a reason: its fix often applies to all of them. A dry run shows it among its samples. */
function exampleOf(reason: string, { first_skipped: first, files, samples }: ImportResponse): string {
  if (NOT_CORRECTABLE.has(reason)) return ' (nothing to correct)'
  const row = first?.find((skipped) => skipped.reason === reason)
  if (!row || samples || row.message === `has ${textOf(reason)}`) return ''
  return `, as in ${placeOf(row, files)}: ${oneLine(row.message)}`
}

/** `line 3`, or `june.csv, line 3` when there are several files; the items of a JSON list have no lines of their own. */
function placeOf({ file, line }: { file: string; line: number }, files: ImportResponse['files']): string {
  const isList = /^(?:geo)?json$/.test(files.find((one) => one.file === file)?.format ?? '')
  return `${files.length > 1 ? `${oneLine(file)}, ` : ''}${isList ? 'item' : 'line'} ${line}`
}

function errorsLine(answer: ImportResponse, path: string): string {
  if (countCorrectable(answer) === 0) return `  The skipped rows are in ${path}; there is nothing in them to correct.`
  return `  The skipped rows are in ${path}: correct them there and import that file, which also says how its rows are read.`
}

/** Most files listed per reason; the many photos of a Takeout share one line. */
const LINES_PER_REASON = 10

function passedOverLines(passedOver: ImportResponse['passed_over']): string[] {
  const byReason = new Map<string, string[]>()
  for (const { file, reason } of passedOver) byReason.set(reason, [...(byReason.get(reason) ?? []), file])
  return [...byReason].flatMap(([reason, files]) => [
    ...files.slice(0, LINES_PER_REASON).map((file) => `  Not imported: ${oneLine(file)}: ${oneLine(reason)}.`),
    ...(files.length > LINES_PER_REASON
      ? [
          `  Not imported: ${files.length - LINES_PER_REASON} ${files.length === LINES_PER_REASON + 1 ? 'more file' : 'more files'}: ${oneLine(reason)} (--json lists them).`,
        ]
      : []),
  ])
}

const NAMED_MISSING = 10
const FIRST_WORDS = 60

function missingLines(missing: ImportResponse['missing']): string[] {
  if (!missing) return []
  const named = missing.reviews.slice(0, NAMED_MISSING)
  const lines = named.map(({ id, author_name: author, occurred_at: at, text }) => {
    return `  Missing: ${id.slice(0, 8)} ${oneLine(author ?? 'no name')}, ${at.slice(0, 10)}: “${truncate(oneLine(text), FIRST_WORDS)}”`
  })
  const more = missing.count - named.length
  return more > 0 ? [...lines, `  Missing: ${formatCount(more)} more (--json lists up to a hundred).`] : lines
}

function sampleLines(samples: NonNullable<ImportResponse['samples']>, files: ImportResponse['files']): string[] {
  const lines: string[] = []
  for (const [kind, reviews] of [
    ['new', samples.inserted],
    ['changed', samples.updated],
  ] as const)
    for (const review of reviews) lines.push(`  ${kind}: ${JSON.stringify(review)}`)
  for (const row of samples.skipped) lines.push(`  skipped: ${placeOf(row, files)} ${row.message}`)
  return lines
}

function textOf(reason: string): string {
  return reason in SKIP_REASONS ? SKIP_REASONS[reason as keyof typeof SKIP_REASONS] : reason
}

/** A progress bar with rows done, rows per second and time left. @param ms time since the start */
export function progressLine(done: number, total: number, ms: number): string {
  const rate = Math.round((done * 1000) / Math.max(ms, 1))
  const percent = Math.floor((100 * done) / Math.max(total, 1))
  const filled = Math.floor(percent / 5)
  const bar = `${'█'.repeat(filled)}${'░'.repeat(20 - filled)}`
  const left = done > 0 && done < total ? `, ${Math.ceil(((total - done) * ms) / done / 1000)} s left` : ''
  return `${bar} ${percent} %  ${formatCount(done)} of ${formatCount(total)} rows, ${formatCount(rate)}/s${left}`
}
