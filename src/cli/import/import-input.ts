import { readFile, rename } from 'node:fs/promises'
import { basename } from 'node:path'
import type { ImportClient, Upload } from '../../client/imports.ts'
import { writePrivateFile } from '../../client/private-file.ts'
import type { ImportAnswer, ImportProgress } from '../../contract/imports.ts'
import { formatMapping, type ImportOptions } from '../../importer/mapping.ts'

export interface ImportRun {
  client: ImportClient
  options: ImportOptions
  dryRun: boolean
  /** Where the skipped rows are written to. */
  errorsPath: string
  onProgress?: (progress: ImportProgress) => void
  signal?: AbortSignal
}

/** An import's answer, with `errors_csv` as the file on this machine. */
export type ImportReport = ImportAnswer

/** Uploads one input and fetches its errors.csv. */
export async function importInput(
  file: { name: string; bytes: Upload['bytes'] },
  run: ImportRun,
): Promise<ImportReport> {
  const { client, options, dryRun, errorsPath, onProgress, signal } = run
  const answer = await client.upload(
    { fileName: basename(file.name), bytes: file.bytes, mapping: formatMapping(options), dryRun },
    { ...(onProgress ? { onProgress } : {}), ...(signal ? { signal } : {}) },
  )
  if (answer.errors_csv !== null) await writeKeeping(errorsPath, await client.errorsCsv(answer.errors_csv))
  return { ...answer, errors_csv: answer.errors_csv === null ? null : errorsPath }
}

/** Somebody may be mending the file of an earlier run: it is kept as `.bak` when it is not the same. */
async function writeKeeping(path: string, bytes: Uint8Array): Promise<void> {
  const earlier = await readFile(path).catch(() => undefined)
  if (earlier?.equals(bytes)) return
  if (earlier) await rename(path, `${path}.bak`)
  await writePrivateFile(path, bytes)
}
