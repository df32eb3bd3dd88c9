import { readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { ApiError } from '../../client/errors.ts'
import { writePrivateFile } from '../../client/private-file.ts'
import { ignoreCodes } from '../../contract/code-of.ts'
import { ImporterError, type ImporterErrorCode } from '../../importer/importer-error.ts'
import type { ImportWarning } from '../../importer/rows/warnings.ts'
import { makeFolder } from '../../make-folder.ts'
import { toCliError } from '../errors/cli-error.ts'
import { countCorrectable } from '../import/report.ts'
import { type ImportReport, writeWithBackup } from '../import/upload.ts'
import { availablePath } from '../output/output-file.ts'
import { oneLine } from '../output/text.ts'
import { DONE_FOLDERS } from './layout.ts'

export type WatchOutcome = { ok: true; report: ImportReport } | { ok: false; error: unknown }

/** An unused path in `imported/` for the skipped rows of a file. Creates the folder. */
export async function errorsPathFor(path: string): Promise<string> {
  const folder = join(dirname(path), DONE_FOLDERS.imported)
  await makeFolder(folder)
  return `${await availablePath(folder, doneName(path))}.errors.csv`
}

/** Of the 255 bytes that a name may have: those of the report, its draft, and a number. */
const ADDED_BYTES = ' (9999).report.json.0123abcd.part'.length

/** The name of a file among the done ones, which is shorter where the names of its report would be too long. */
function doneName(path: string): string {
  const name = basename(path)
  const most = 255 - ADDED_BYTES
  if (Buffer.byteLength(name) <= most) return name
  const extension = extname(name)
  const kept = extension.length > 10 ? '' : extension
  let stem = ''
  for (const letter of name) {
    if (Buffer.byteLength(`${stem}${letter}${kept}`) > most) break
    stem += letter
  }
  return stem + kept
}

/**
 * Moves a file or folder that was imported or finally rejected. The report is written first, so that everything in
 * `imported/` has one.
 *
 * @param version the version that was imported, from `takeSnapshot`
 * @returns its new path, and the outcome with the new path of the skipped rows
 */
export async function moveToDone(
  path: string,
  outcome: WatchOutcome,
  version: string,
): Promise<{ target: string; outcome: WatchOutcome }> {
  const isImported = outcome.ok && !isAllSkipped(outcome.report)
  const folder = join(dirname(path), isImported ? DONE_FOLDERS.imported : DONE_FOLDERS.failed)
  await makeFolder(folder)
  const target = await availablePath(folder, doneName(path))
  const errors = outcome.ok ? outcome.report.errors_csv : null
  const errorsPath = errors === null ? null : `${target}.errors.csv`
  let moved = outcome
  let report: object
  if (outcome.ok) {
    report = { ...outcome.report, errors_csv: errorsPath === null ? null : basename(errorsPath) }
    moved = { ok: true, report: { ...outcome.report, errors_csv: errorsPath } }
  } else {
    const { code, message, details, hints } = toCliError(outcome.error)
    report = { error: { code, message, details, hints } }
  }
  const account = { file: basename(path), version, finished_at: new Date().toISOString(), ...report }
  await writePrivateFile(`${target}.report.json`, `${JSON.stringify(account, null, 2)}\n`, { replace: true })
  if (errors !== null && errorsPath !== null && errors !== errorsPath) {
    // An earlier attempt may have moved them.
    const rows = await readFile(errors).catch(ignoreCodes('ENOENT'))
    if (rows) await writeWithBackup(errorsPath, rows)
    await rm(errors, { force: true })
  }
  await rename(path, target)
  return { target, outcome: moved }
}

/** Whether nothing was imported although rows can be corrected: ratings without a text do not count. */
export function isAllSkipped(report: ImportReport): boolean {
  return report.inserted + report.updated === 0 && countCorrectable(report) > 0
}

/** Warnings that the log has too. */
const NOTED: ReadonlySet<string> = new Set<ImportWarning['code']>([
  'dates',
  'missing',
  'other_products',
  'older',
  'cut_off',
  'still_shown',
  'lost_metadata',
])

/** @param file its name, which the line of the log begins with and the importer's messages may too */
export function describeOutcome(outcome: WatchOutcome, file: string): string {
  if (!outcome.ok) {
    const { message } = toCliError(outcome.error)
    const reason = message.startsWith(`${file}: `) ? message.slice(file.length + 2) : message
    return `not imported: ${oneLine(reason)}.${adviceFor(outcome.error)}`
  }
  const { inserted, updated, skipped, warnings, passed_over: passedOver } = outcome.report
  const notRead =
    passedOver.length > 0 ? ` ${passedOver.length} files in it were not imported: the report lists them.` : ''
  // Nobody can be asked here, so these are worth a note: wrong dates end up in the ids derived from them, and missing
  // reviews may still be shown.
  const notes = warnings.filter(({ code }) => NOTED.has(code)).map(({ message }) => ` Note: ${oneLine(message)}.`)
  const counts = isAllSkipped(outcome.report)
    ? `0 imported, ${skipped} skipped: the file is now in ${DONE_FOLDERS.failed}, with the reasons beside it.`
    : `${inserted} inserted, ${updated} updated, ${skipped} skipped.`
  return `${counts}${notRead}${notes.join('')}`
}

/** Errors that a mapping can fix: columns, date order, and who wrote the reviews. */
const FIXED_BY_MAPPING: ReadonlySet<string> = new Set<ImporterErrorCode>([
  'mapping_needed',
  'unknown_column',
  'unknown_profile',
  'bad_mapping',
  'dates_both_orders',
  'own_reviews',
  'ids_of_others',
])

/** `watch` has no --map, so only a saved mapping can help. */
function adviceFor(error: unknown): string {
  if (!FIXED_BY_MAPPING.has(importerCode(error) ?? '')) return ''
  return ' To see why: pullquote reviews import FILE --dry-run --explain. A mapping says how columns and dates are read: save one with that command (--map, --day-first and the like, and --save-mapping NAME), then give --mapping NAME here or put the file into a folder of that name.'
}

/** The importer's own code, which a server returns in its validation error about the file. */
function importerCode(error: unknown): string | undefined {
  if (error instanceof ImporterError) return error.code
  if (!(error instanceof ApiError) || error.code !== 'validation_failed') return undefined
  const [finding] = error.details
  // Validation errors about the mapping itself have its path.
  if (finding?.path === 'mapping') return 'bad_mapping'
  return /^cannot be imported: (\w+)$/.exec(finding?.message ?? '')?.[1]
}
