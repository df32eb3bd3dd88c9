import * as v from 'valibot'
import type { ImportOptions } from '../../src/importer/formats/mapping.ts'
import type { ImporterErrorCode } from '../../src/importer/importer-error.ts'
import type { ImportRow } from '../../src/importer/rows/row.ts'
import type { ImportSummary } from '../../src/importer/rows/summary.ts'

export interface Upload {
  name: string
  bytes: Uint8Array
  isZip: boolean
  options: ImportOptions
  now: Date
}

/** Requests from the server to the thread that reads an upload. */
export const threadRequest = v.variant('type', [
  v.object({ type: v.literal('rewind'), size: v.number() }),
  v.object({ type: v.literal('next') }),
  v.object({ type: v.literal('errors') }),
])
export type ThreadRequest = v.InferOutput<typeof threadRequest>

/** Its answers. Both sides are the same program, so these are not validated. */
export type ThreadAnswer =
  | { type: 'prepared'; summary: ImportSummary }
  | { type: 'rows'; rows: readonly ImportRow[] | undefined }
  | { type: 'errors'; packed: Uint8Array }
  | { type: 'refused'; code: ImporterErrorCode; message: string }
  | { type: 'failed'; error: unknown }
