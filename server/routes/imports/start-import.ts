import { randomUUID } from 'node:crypto'
import type { ServerRequest } from 'srvx'
import type * as v from 'valibot'
import {
  type ImportProgress,
  type ImportResponse,
  type importParameters,
  PROGRESS_MEDIA_TYPE,
} from '../../../src/contract/import.ts'
import type { Environment } from '../../../src/contract/review.ts'
import { type ImportOptions, parseMapping } from '../../../src/importer/formats/mapping.ts'
import { ImporterError } from '../../../src/importer/importer-error.ts'
import { type ImportResult, runImport } from '../../../src/importer/rows/run.ts'
import type { AppDeps } from '../../app-deps.ts'
import type { Pool } from '../../deps.ts'
import { describeError } from '../../describe-error.ts'
import { ApiError, PartlyDone, validationFailed } from '../../http/api-error.ts'
import { unknownKey } from '../../http/auth.ts'
import { prefersMediaType } from '../../http/content-negotiation.ts'
import { requireDiskSpace } from '../../http/disk-space.ts'
import { toErrorEnvelope } from '../../http/error-envelope.ts'
import { toApiError } from '../../http/to-api-error.ts'
import { ProjectGone } from '../../ingest/accept.ts'
import { importTarget, KeyGone } from '../../ingest/import-target.ts'
import type { Upload } from '../../ingest/import-thread-messages.ts'
import { readImport } from '../../ingest/read-import.ts'
import type { ReadImport } from '../../ingest/read-in-this-thread.ts'
import type { Project } from '../../sql/projects/projects.ts'
import { saveImportReport } from '../../sql/reviews/import-reports.ts'
import type { EnvironmentScope } from '../../sql/scope.ts'
import { toImportResult } from './import-result.ts'
import type { UploadQueues } from './upload-queue.ts'

export type ImportDeps = Pick<AppDeps, 'sql' | 'worker' | 'allowance' | 'freeSpace' | 'docsUrl' | 'log'>

/** Who imports, and where to. */
export interface Importer {
  project: Project
  env: Environment
  isAllowed(): Promise<boolean>
}

/** The parts of a request that make its upload. */
interface ImportContext {
  request: ServerRequest
  requestId: string
  query: v.InferOutput<typeof importParameters>
  body: Uint8Array | undefined
}

/** Reads a request's upload and imports it, or with `dry_run` reports what that would do. */
export async function startImport(context: ImportContext, importer: Importer, deps: ImportDeps, queues: UploadQueues) {
  if (context.body === undefined) throw validationFailed([{ path: '(body)', message: 'must be the file to import' }])
  const { file_name: name, mapping, dry_run } = context.query
  const upload: Upload = {
    name,
    bytes: context.body,
    isZip: context.body[0] === 0x50 && context.body[1] === 0x4b,
    options: optionsOf(mapping),
    now: new Date(),
  }
  const dryRun = dry_run === 'true'
  const queue = queues.queueFor(upload)
  // Only the upload holds the file, until it is read: it is released while rows are written.
  context.body = undefined
  const wantsProgress = prefersMediaType(context.request.headers.get('accept'), PROGRESS_MEDIA_TYPE, 'application/json')
  // Nor is the context retained, whose request may hold the body too.
  const { requestId } = context
  const run = (report: (progress: ImportProgress) => void, signal: AbortSignal) =>
    queue.run(() => importUpload(importer, deps, upload, { dryRun, onProgress: report, signal }))
  if (!wantsProgress) return { status: 200 as const, body: await run(() => {}, context.request.signal) }
  queue.assertNotFull()
  return streamProgress(requestId, deps, run)
}

async function importUpload(
  { project, env, isAllowed }: Importer,
  deps: ImportDeps,
  upload: Upload,
  options: { dryRun: boolean; onProgress: (progress: ImportProgress) => void; signal: AbortSignal },
): Promise<ImportResponse> {
  const { signal } = options
  let source: ReadImport | undefined
  let isPartlyStored = false
  try {
    signal.throwIfAborted()
    source = await readImport(upload, signal)
    const requireSpace = () => requireDiskSpace(deps.freeSpace)
    let isDeferred = false
    const onDeferred = () => {
      isDeferred = true
    }
    const worker = {
      nudge() {
        isPartlyStored = true
        deps.worker.nudge()
      },
    }
    const target = importTarget(deps.sql, project, env, { ...deps, worker, isAllowed, requireSpace, onDeferred })
    const { force = false, missing = 'list' } = upload.options
    const result = await runImport(source, target, { ...options, force, missing })
    if (result.stopped) throw result.stopped.cause
    const errorsCsv = await keepErrors(source, result, { projectId: project.id, env }, deps.sql)
    return toImportResult(source, result, { project: project.name, env, errorsCsv, isDeferred })
  } catch (error) {
    if (error instanceof ProjectGone) throw unknownKey()
    if (error instanceof KeyGone) throw new ApiError('unauthorized', KEY_GONE)
    if (error instanceof ImporterError) throw asApiError(error)
    throw isPartlyStored && !signal.aborted ? new PartlyDone(BATCHES_STORED, error) : error
  } finally {
    await source?.close()
  }
}

/** @returns the path of `errors.csv` on this server, null when nothing was skipped or written */
async function keepErrors(
  source: ReadImport,
  result: ImportResult,
  environment: EnvironmentScope,
  sql: Pool,
): Promise<string | null> {
  if (result.skipped === 0 || result.dryRun) return null
  const id = randomUUID()
  await saveImportReport(sql, { ...environment, id, errorsCsv: Buffer.from(await source.errors()) })
  return `/imports/${id}/errors.csv`
}

/** NDJSON: the progress while it runs, then the result or the error. If the client disconnects, the import ends. */
function streamProgress(
  requestId: string,
  { docsUrl, log }: ImportDeps,
  run: (report: (progress: ImportProgress) => void, signal: AbortSignal) => Promise<ImportResponse>,
): { status: 200; body: ReadableStream; headers: Record<string, string> } {
  const gone = new AbortController()
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const write = (line: object) => {
        if (!gone.signal.aborted) controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`))
      }
      try {
        write({ result: await run((progress) => write({ progress }), gone.signal) })
      } catch (error) {
        const apiError = toApiError(error, requestId)
        if (apiError !== error && !gone.signal.aborted) {
          // As for other requests: what its caller can mend is no fault of the server.
          const level = apiError.code === 'internal' ? 'error' : 'warn'
          log[level]({ requestId, error: describeError(error) }, 'import failed')
        }
        write(toErrorEnvelope(apiError, requestId, docsUrl))
      }
      if (!gone.signal.aborted) controller.close()
    },
    cancel: () => gone.abort(),
  })
  return { status: 200, body, headers: { 'content-type': PROGRESS_MEDIA_TYPE } }
}

const KEY_GONE =
  'The key of this import, or the session that started it, was revoked or expired while it ran. The batches before that are stored; import the same file again with another key to continue.'

const BATCHES_STORED = 'The batches before that are stored: the same file again continues the import.'

function asApiError(error: ImporterError): ApiError {
  if (error.code === 'review_limit_reached') return new ApiError('review_limit_reached', error.message)
  if (error.code === 'file_too_large' || error.code === 'archive_too_large')
    return new ApiError('payload_too_large', error.message)
  // The message says it all; the finding gives programs the importer's own code.
  const details = [{ path: '(body)', message: `cannot be imported: ${error.code}` }]
  return new ApiError('validation_failed', error.message, { details })
}

function optionsOf(mapping: unknown): ImportOptions {
  try {
    return parseMapping(mapping)
  } catch (error) {
    if (!(error instanceof ImporterError)) throw error
    throw validationFailed(error.findings.map((message) => ({ path: 'mapping', message })))
  }
}
