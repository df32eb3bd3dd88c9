import { readFile, rename } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import type { Client } from '../../client/client.ts'
import { Cancelled } from '../../client/errors.ts'
import type { Upload } from '../../client/imports.ts'
import { writePrivateFile } from '../../client/private-file.ts'
import type { ImportProgress, ImportResponse } from '../../contract/import.ts'
import type { ImportOptions } from '../../importer/formats/mapping.ts'
import type { PassedOverFile } from '../../importer/read/review-files.ts'
import type { ClientSession } from '../connection/session.ts'
import { EXIT, interruptedError, toCliError } from '../errors/cli-error.ts'
import { availablePath, toOutputFileError } from '../output/output-file.ts'
import type { Reporter } from '../output/terminal.ts'
import { waitForIndexing } from '../reviews/wait-for-indexing.ts'
import { readInput } from './inputs.ts'
import type { CheckedInput } from './questions.ts'
import { countCorrectable, progressLine } from './report.ts'

export interface ImportRun {
  client: Pick<Client, 'upload' | 'errorsCsv'>
  options: ImportOptions
  dryRun: boolean
  errorsPath: string
  /** Writes that file even when no row in it can be corrected. */
  allErrors?: boolean
  /** Called when the skipped rows cannot be fetched or written; the report is returned anyway. Unless set, that throws. */
  onErrorsLost?: (error: unknown) => void
  onProgress?: (progress: ImportProgress) => void
  signal: AbortSignal
}

/** An import's answer, with `errors_csv` as the file on this machine. */
export type ImportReport = ImportResponse

/** Uploads one input and fetches its errors.csv. */
export async function importInput(
  file: { name: string; bytes: Upload['bytes']; passedOver?: readonly PassedOverFile[] },
  run: ImportRun,
): Promise<ImportReport> {
  const { client, options, dryRun, errorsPath, onProgress, signal } = run
  const answer = await client.upload(
    { fileName: basename(file.name), bytes: file.bytes, mapping: options, dryRun },
    { onProgress, signal },
  )
  const passedOver = [...(file.passedOver ?? []), ...answer.passed_over]
  const report = { ...answer, passed_over: passedOver, errors_csv: null }
  if (answer.errors_csv === null || (run.allErrors !== true && countCorrectable(answer) === 0)) return report
  try {
    await writeWithBackup(errorsPath, await client.errorsCsv(answer.errors_csv))
    return { ...report, errors_csv: errorsPath }
  } catch (error) {
    if (!run.onErrorsLost) throw error
    run.onErrorsLost(error)
    return report
  }
}

/** Keeps a different earlier file as `NAME.bak` or `NAME (2).bak`: somebody may be correcting it. */
export async function writeWithBackup(path: string, bytes: Uint8Array): Promise<void> {
  const earlier = await readFile(path).catch(() => undefined)
  if (earlier?.equals(bytes)) return
  if (earlier) await rename(path, await availablePath(dirname(path), `${basename(path)}.bak`))
  await writePrivateFile(path, bytes)
}

const RUN_AGAIN = 'run the same command again: it continues and stores nothing twice'

interface ImportInputsOptions {
  /** Path for the skipped rows of a single input; unless set, each input gets its own file beside it. */
  errorsFile: string | undefined
  dryRun: boolean
  signal: AbortSignal
  reporter: Reporter
}

/**
 * Imports one input after another, then waits for indexing when the server runs in this process.
 *
 * @param options.onReport called after each input
 * @throws {CliError} on interruption, with the number of rows imported so far
 */
export async function importInputs(
  session: ClientSession,
  inputs: readonly CheckedInput[],
  options: ImportInputsOptions & { onReport: (report: ImportTotals['imports'][number]) => void },
): Promise<ImportTotals['imports']> {
  const reports: ImportTotals['imports'] = []
  for (const checked of inputs) {
    const { path } = checked.input
    const answer = await importOne(session.client, checked, options).catch((error: unknown) => {
      // An error of the server's database does not name the file.
      if (inputs.length > 1)
        options.reporter.writeStderr(
          `${path} was not imported completely; ${reports.length} of ${inputs.length} inputs were.`,
        )
      throw error
    })
    const report = { input: path, ...answer }
    reports.push(report)
    options.onReport(report)
  }
  if (!options.dryRun) await waitForIndexing(session, options.signal, options.reporter)
  return reports
}

async function importOne(
  client: Client,
  { input, options, passedOver }: CheckedInput,
  { errorsFile, dryRun, signal, reporter }: ImportInputsOptions,
): Promise<ImportReport> {
  const progress = reporter.progress(`Importing ${input.path}`)
  const started = Date.now()
  let done = 0
  try {
    const file = { name: resolve(input.path), bytes: async () => (await readInput(input)).bytes, passedOver }
    return await importInput(file, {
      client,
      options,
      dryRun,
      errorsPath: errorsFile ?? input.errorsPath,
      allErrors: errorsFile !== undefined,
      signal,
      onErrorsLost: (error) => {
        const { message } = toCliError(toOutputFileError(error, errorsFile ?? input.errorsPath))
        reporter.writeStderr(`The skipped rows of ${input.path} could not be kept: ${message}.`)
        process.exitCode = EXIT.failed
      },
      onProgress: (step) => {
        done = step.done
        progress.update(progressLine(step.done, step.total, Date.now() - started))
      },
    })
  } catch (error) {
    progress.stop()
    if (error instanceof Cancelled) throw interruptedError(`interrupted after ${done} rows of ${input.path}`, RUN_AGAIN)
    if (done > 0) reporter.writeStderr(`${done} rows of ${input.path} were stored before that; ${RUN_AGAIN}.`)
    throw error
  } finally {
    progress.stop()
  }
}

export type ImportTotals = Pick<
  ImportReport,
  'inserted' | 'updated' | 'unchanged' | 'skipped' | 'reasons' | 'errors_csv' | 'seconds'
> & {
  dry_run: boolean
  /** One per file or folder. */
  imports: (ImportReport & { input: string })[]
}

export function totalsOf(imports: ImportTotals['imports'], dryRun: boolean): ImportTotals {
  const sum = (pick: (report: ImportReport) => number) => imports.reduce((total, report) => total + pick(report), 0)
  const reasons: Record<string, number> = {}
  for (const report of imports)
    for (const [reason, rows] of Object.entries(report.reasons)) reasons[reason] = (reasons[reason] ?? 0) + rows
  return {
    inserted: sum((report) => report.inserted),
    updated: sum((report) => report.updated),
    unchanged: sum((report) => report.unchanged),
    skipped: sum((report) => report.skipped),
    reasons,
    errors_csv: imports.find((report) => report.errors_csv !== null)?.errors_csv ?? null,
    seconds: Math.round(sum((report) => report.seconds) * 1000) / 1000,
    dry_run: dryRun,
    imports,
  }
}
