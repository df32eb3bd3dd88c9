import { resolve } from 'node:path'
import { Cancelled } from '../../client/errors.ts'
import { createImportClient, type ImportClient } from '../../client/imports.ts'
import type { ClientSession } from '../connection/session.ts'
import { interruptedError } from '../errors/failure.ts'
import type { Reporter } from '../output/reporter.ts'
import { waitForIndexing } from '../reviews/wait-for-indexing.ts'
import type { CheckedInput } from './check-input.ts'
import { readInput } from './inputs.ts'
import { progressLine } from './report.ts'
import type { ImportTotals } from './totals.ts'
import { type ImportReport, importInput } from './upload-input.ts'

const RUN_AGAIN = 'run the same command again: it continues, and what is stored already is not doubled'

interface ImportInputsOptions {
  /** Takes the skipped rows of the only input; without it each input has a file of its own beside it. */
  errorsFile: string | undefined
  dryRun: boolean
  signal: AbortSignal
  reporter: Reporter
}

/**
 * Imports one input after another, and waits for the indexing where the server runs in this process.
 *
 * @param options.onReport called with each report as it comes
 * @throws {CliError} an interruption, with how many rows were imported before
 */
export async function importInputs(
  session: ClientSession,
  inputs: readonly CheckedInput[],
  options: ImportInputsOptions & { onReport: (report: ImportTotals['imports'][number]) => void },
): Promise<ImportTotals['imports']> {
  const client = createImportClient({ ...session.connection, key: session.key, retry: session.retry })
  const reports: ImportTotals['imports'] = []
  for (const checked of inputs) {
    const report = { input: checked.input.path, ...(await importOne(client, checked, options)) }
    reports.push(report)
    options.onReport(report)
  }
  if (!options.dryRun) await waitForIndexing(session, options.signal, options.reporter)
  return reports
}

async function importOne(
  client: ImportClient,
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
      onProgress: (step) => {
        done = step.done
        progress.update(progressLine(step.done, step.total, Date.now() - started))
      },
    })
  } catch (error) {
    progress.stop()
    if (error instanceof Cancelled) throw interruptedError(`interrupted after ${done} rows of ${input.path}`, RUN_AGAIN)
    if (done > 0) reporter.writeStderr(`${done} rows of ${input.path} were stored before this; ${RUN_AGAIN}.`)
    throw error
  } finally {
    progress.stop()
  }
}
