import type { ImportAnswer } from '../../contract/imports.ts'
import { SKIP_REASONS } from '../../importer/skip.ts'

/** Formats whose columns were matched by name, so that a column left out may be missed. */
const GUESSED = new Set(['generic', 'multi-source'])

/** The account of an import for people, a line each. */
export function reportLines(answer: ImportAnswer, label: string, errorsPath: string | null): string[] {
  const { inserted, updated, unchanged, skipped, seconds, dry_run: dry } = answer
  const parts = dry
    ? [
        `${count(inserted)} new`,
        `${count(updated - unchanged)} changed`,
        `${count(unchanged)} unchanged`,
        `${count(skipped)} skipped`,
      ]
    : [
        `${count(inserted)} inserted`,
        `${count(updated)} updated (${count(unchanged)} of them unchanged)`,
        `${count(skipped)} skipped`,
      ]
  const lines = [`${label}: ${parts.join(', ')} in ${seconds.toFixed(1)} s.${dry ? ' Nothing was written.' : ''}`]
  for (const [reason, rows] of Object.entries(answer.reasons)) lines.push(`  ${count(rows)} × ${spoken(reason)}`)
  for (const { message } of answer.warnings) lines.push(`  Note: ${message}.`)
  for (const { profile, file, unused } of answer.files)
    if (GUESSED.has(profile) && unused.length > 0)
      lines.push(`  Left out of ${file}: ${unused.join(', ')} (keep columns with --metadata).`)
  if (answer.samples) lines.push(...sampleLines(answer.samples))
  if (errorsPath !== null) lines.push(`  The skipped rows are in ${errorsPath}: mend them there and import that file.`)
  return lines
}

function sampleLines(samples: NonNullable<ImportAnswer['samples']>): string[] {
  const lines: string[] = []
  for (const [kind, reviews] of [
    ['new', samples.inserted],
    ['changed', samples.updated],
  ] as const)
    for (const review of reviews) lines.push(`  ${kind}: ${JSON.stringify(review)}`)
  for (const { line, message } of samples.skipped) lines.push(`  skipped: line ${line} ${message}`)
  return lines
}

function spoken(reason: string): string {
  return reason in SKIP_REASONS ? SKIP_REASONS[reason as keyof typeof SKIP_REASONS] : reason
}

export function progressLine(done: number, total: number, ms: number): string {
  const rate = Math.round((done * 1000) / Math.max(ms, 1))
  const percent = Math.floor((100 * done) / Math.max(total, 1))
  const filled = Math.floor(percent / 5)
  const bar = `${'█'.repeat(filled)}${'░'.repeat(20 - filled)}`
  const left = done > 0 && done < total ? `, ${Math.ceil(((total - done) * ms) / done / 1000)} s left` : ''
  return `${bar} ${percent} %  ${count(done)} of ${count(total)} rows, ${count(rate)}/s${left}`
}

function count(value: number): string {
  return value.toLocaleString('en')
}
