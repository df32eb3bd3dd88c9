import type { ReviewInput } from '../../src/contract/review.ts'
import type { ImportOptions } from '../../src/importer/formats/mapping.ts'
import { ImporterError, type ImporterErrorCode } from '../../src/importer/importer-error.ts'
import type { PreparedImport } from '../../src/importer/rows/prepare.ts'
import { prepareImport } from '../../src/importer/rows/prepare.ts'

/** Prepares one file given as text or bytes. */
export function prepare(
  content: string | Uint8Array,
  options: ImportOptions = {},
  name = 'file',
): Promise<PreparedImport> {
  return prepareImport([{ name, bytes: typeof content === 'string' ? Buffer.from(content) : content }], options)
}

/** The reviews of one file, in its order. */
export async function reviewsOf(content: string | Uint8Array, options: ImportOptions = {}): Promise<ReviewInput[]> {
  return (await prepare(content, options)).rows.map((row) => row.review)
}

/** The only review of one file. */
export async function reviewOf(content: string | Uint8Array, options: ImportOptions = {}): Promise<ReviewInput> {
  const prepared = await prepare(content, options)
  const [row] = prepared.rows
  if (!row || prepared.rows.length > 1) throw new Error(`expected one row: ${JSON.stringify(prepared.skipped)}`)
  return row.review
}

/** The code of the refusal of a whole file. */
export async function refusalOf(work: () => Promise<unknown>): Promise<ImporterErrorCode> {
  try {
    await work()
  } catch (error) {
    if (error instanceof ImporterError) return error.code
    throw error
  }
  throw new Error('was not refused')
}
