import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import {
  IMPORT_MEDIA_TYPES,
  type ImportResponse,
  importParameters,
  PROGRESS_MEDIA_TYPE,
} from '../../../src/contract/import.ts'
import { IMPORT_FILE_BYTES } from '../../../src/contract/limits.ts'
import type { Environment } from '../../../src/contract/review.ts'
import { type Validated, validate } from '../../../src/contract/validate.ts'
import { type ImportOptions, parseMapping } from '../../../src/importer/formats/mapping.ts'
import { ImporterError } from '../../../src/importer/importer-error.ts'
import { type ImportResult, type RunProgress, runImport } from '../../../src/importer/rows/run.ts'
import type { FreeSpace } from '../../db/home/free-space.ts'
import type { Log, Pool } from '../../deps.ts'
import { describeError } from '../../describe-error.ts'
import { ApiError, assertValid, validationFailed } from '../../http/api-error.ts'
import { unknownKey } from '../../http/auth.ts'
import { requireDiskSpace } from '../../http/disk-space.ts'
import { parameterFindings, type QueryString, wellFormedParameters } from '../../http/query-string.ts'
import { type ApiRoute, type Call, type KeyCall, noParameters } from '../../http/request-pipeline.ts'
import { type RouteResult, toErrorEnvelope } from '../../http/respond.ts'
import { toApiError } from '../../http/to-api-error.ts'
import { type AcceptOptions, ProjectGone } from '../../ingest/accept.ts'
import { importTarget, KeyGone } from '../../ingest/import-target.ts'
import type { Upload } from '../../ingest/import-thread-messages.ts'
import { type ReadImport, readImport } from '../../ingest/read-import.ts'
import { isKeyActive } from '../../sql/access/keys.ts'
import type { Project } from '../../sql/projects/projects.ts'
import { readImportReport, saveImportReport } from '../../sql/reviews/import-reports.ts'
import { toImportResult } from './import-result.ts'
import { UploadQueues } from './upload-queue.ts'

export interface ImportDeps {
  sql: Pool
  worker: { nudge(): void }
  allowance: AcceptOptions['allowance']
  freeSpace?: FreeSpace
  docsUrl: string
  log: Log
}

/** This server's own routes for uploads, outside `/v1`. */
export function importRoutes(deps: ImportDeps, queues = new UploadQueues()): ApiRoute[] {
  return [
    {
      method: 'POST',
      path: '/imports',
      access: 'secret key',
      body: { maxBytes: IMPORT_FILE_BYTES, mediaTypes: IMPORT_MEDIA_TYPES },
      time: 'own',
      handle: (call) => startImport(call, importerOf(call.key, deps), deps, queues),
    },
    {
      method: 'GET',
      path: '/imports/:id/errors.csv',
      access: 'secret key',
      handle: (call) => sendErrorsCsv(call, call.key, deps),
    },
  ]
}

/** Who imports, and into what. */
export interface Importer {
  project: Project
  env: Environment
  isAllowed(): Promise<boolean>
}

function importerOf({ project, env, keyId }: KeyCall['key'], { sql }: ImportDeps): Importer {
  return { project, env, isAllowed: () => isKeyActive(sql, keyId) }
}

interface Request {
  fileName: string
  /** Taken out when the file is read, so that nothing holds it while its rows are written. */
  bytes: Uint8Array | undefined
  isZip: boolean
  options: ImportOptions
  dryRun: boolean
}

/** Reads the upload of a call and imports it, or with `dry_run` says what that would do. */
export async function startImport(
  call: Call,
  importer: Importer,
  deps: ImportDeps,
  queues: UploadQueues,
): Promise<RouteResult> {
  const [, parameters] = assertValid(eachOnce(call.query), validate(importParameters, wellFormedParameters(call.query)))
  if (call.body === undefined) throw validationFailed([{ path: '(body)', message: 'must be the file to import' }])
  const request: Request = {
    fileName: parameters.file_name,
    bytes: call.body,
    isZip: isZip(call.body),
    options: optionsOf(parameters.mapping),
    dryRun: parameters.dry_run === 'true',
  }
  const queue = queues.queueFor({ bytes: call.body, isZip: request.isZip })
  call.body = undefined
  const wantsProgress = (call.request.headers.get('accept') ?? '').includes(PROGRESS_MEDIA_TYPE)
  // Nor is the call held, whose request may have the body too.
  const { requestId } = call
  const run = (report: (progress: RunProgress) => void, signal: AbortSignal) =>
    queue.run(() => work(importer, deps, request, report, signal))
  if (!wantsProgress) return { status: 200, body: await run(() => {}, call.request.signal) }
  queue.assertNotFull()
  return streamed(requestId, deps, run)
}

async function work(
  { project, env, isAllowed }: Importer,
  deps: ImportDeps,
  request: Request,
  report: (progress: RunProgress) => void,
  signal: AbortSignal,
): Promise<ImportResponse> {
  let source: ReadImport | undefined
  try {
    signal.throwIfAborted()
    source = await readImport(uploaded(request), signal)
    const requireSpace = () => requireDiskSpace(deps.freeSpace)
    const target = importTarget(deps.sql, project, env, { ...deps, isAllowed, requireSpace })
    const result = await runImport(source, target, { dryRun: request.dryRun, onProgress: report, signal })
    if (result.stopped) throw result.stopped.cause
    const errorsCsv = await keepErrors(source, result, { project, env }, deps.sql)
    return toImportResult(source, result, { project: project.name, env, errorsCsv })
  } catch (error) {
    if (error instanceof ProjectGone) throw unknownKey()
    if (error instanceof KeyGone) throw keyGone()
    throw error instanceof ImporterError ? asApiError(error) : error
  } finally {
    await source?.close()
  }
}

/** The request's file, which nothing holds afterwards but the import itself. */
function uploaded(request: Request): Upload {
  const { fileName: name, bytes = new Uint8Array(), isZip, options } = request
  request.bytes = undefined
  return { name, bytes, isZip, options, now: new Date() }
}

const decompress = promisify(gunzip)

/** @returns the path of `errors.csv` on this server, null when nothing was skipped or written */
async function keepErrors(
  source: ReadImport,
  result: ImportResult,
  { project, env }: Pick<Importer, 'project' | 'env'>,
  sql: Pool,
): Promise<string | null> {
  if (result.skipped === 0 || result.dryRun) return null
  const id = randomUUID()
  await saveImportReport(sql, { id, projectId: project.id, env, errorsCsv: Buffer.from(await source.errors()) })
  return `/imports/${id}/errors.csv`
}

/** The rows that an import left out. */
export async function sendErrorsCsv(
  call: Call,
  { project, env }: Pick<Importer, 'project' | 'env'>,
  { sql }: Pick<ImportDeps, 'sql'>,
): Promise<RouteResult> {
  assertValid(noParameters(call))
  const stored = await readImportReport(sql, project.id, env, call.params.id ?? '')
  if (stored === undefined)
    throw new ApiError(
      'not_found',
      'There is no such errors.csv: it is kept for a week, for the project and environment of its import.',
    )
  return {
    status: 200,
    body: (await decompress(stored)).toString('utf8'),
    headers: { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': 'attachment; filename="errors.csv"' },
  }
}

/** Lines of JSON: the progress while it goes on, then the result or the error. A client that goes away ends the import. */
function streamed(
  requestId: string,
  { docsUrl, log }: ImportDeps,
  run: (report: (progress: RunProgress) => void, signal: AbortSignal) => Promise<ImportResponse>,
): RouteResult {
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
        const refusal = toApiError(error, requestId)
        if (refusal !== error && !gone.signal.aborted)
          log.error({ requestId, error: describeError(error) }, 'import failed')
        write(toErrorEnvelope(refusal, requestId, docsUrl))
      }
      if (!gone.signal.aborted) controller.close()
    },
    cancel: () => gone.abort(),
  })
  return { status: 200, body, headers: { 'content-type': PROGRESS_MEDIA_TYPE } }
}

function keyGone(): ApiError {
  return new ApiError(
    'unauthorized',
    'The key of this import, or the session that began it, was revoked or expired while it ran. Batches before that are stored; the same file imported again with another key continues.',
  )
}

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
    throw validationFailed(error.choices.map((message) => ({ path: 'mapping', message })))
  }
}

function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b
}

function eachOnce(query: QueryString): Validated<undefined> {
  const details = parameterFindings(query, { known: () => true, once: () => true })
  return details.length === 0 ? { ok: true, value: undefined } : { ok: false, details }
}
