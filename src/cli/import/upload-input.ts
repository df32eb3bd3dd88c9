import { readFile, rename } from 'node:fs/promises'
import { basename } from 'node:path'
import type { ImportClient, Upload } from '../../client/imports.ts'
import { writePrivateFile } from '../../client/private-file.ts'
import type { ImportProgress, ImportResponse } from '../../contract/import.ts'
import { type ImportOptions, serializeMapping } from '../../importer/formats/mapping.ts'
import type { PassedOverFile } from '../../importer/read/review-files.ts'
import { NOT_CORRECTABLE } from '../../importer/skip-reasons.ts'

export interface ImportRun {
  client: ImportClient
  options: ImportOptions
  dryRun: boolean
  /** Where the skipped rows are written to. */
  errorsPath: string
  /** Writes that file also when there is nothing in it to mend. */
  allErrors?: boolean
  onProgress?: (progress: ImportProgress) => void
  signal?: AbortSignal
}

/** An import's answer, with `errors_csv` as the file on this machine. */
export type ImportReport = ImportResponse

/** Skipped rows that can be mended; ratings without a text are no error of the file. */
export function countCorrectable({ reasons }: Pick<ImportResponse, 'reasons'>): number {
  return Object.entries(reasons).reduce((sum, [reason, rows]) => (NOT_CORRECTABLE.has(reason) ? sum : sum + rows), 0)
}

/** Uploads one input and fetches its errors.csv. */
export async function importInput(
  file: { name: string; bytes: Upload['bytes']; passedOver?: readonly PassedOverFile[] },
  run: ImportRun,
): Promise<ImportReport> {
  const { client, options, dryRun, errorsPath, onProgress, signal } = run
  const answer = await client.upload(
    { fileName: basename(file.name), bytes: file.bytes, mapping: serializeMapping(options), dryRun },
    { ...(onProgress ? { onProgress } : {}), ...(signal ? { signal } : {}) },
  )
  const passedOver = [...(file.passedOver ?? []), ...answer.passed_over]
  const wanted = answer.errors_csv !== null && (run.allErrors === true || countCorrectable(answer) > 0)
  if (wanted && answer.errors_csv !== null) await writeKeeping(errorsPath, await client.errorsCsv(answer.errors_csv))
  return { ...answer, passed_over: passedOver, errors_csv: wanted ? errorsPath : null }
}

/** Somebody may be mending the file of an earlier run: it is kept as `.bak` when it is not the same. */
async function writeKeeping(path: string, bytes: Uint8Array): Promise<void> {
  const earlier = await readFile(path).catch(() => undefined)
  if (earlier?.equals(bytes)) return
  if (earlier) await rename(path, `${path}.bak`)
  await writePrivateFile(path, bytes)
}
