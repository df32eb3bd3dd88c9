import {
  CommitUnconfirmed,
  isDatabaseUnavailable,
  isDiskFull,
  isHeldUp,
  isOverTemporaryLimit,
  isReadOnly,
  isReferenceGone,
  isTableGone,
} from '../db/unavailable.ts'
import { EmbeddingRefused, EmbeddingUnavailable, OtherModelActive, ReviewsReindexing } from '../embed/embedder.ts'
import { ApiError, nothingWritten, PartlyDone, serviceUnavailable } from './api-error.ts'
import { databaseFull } from './disk-space.ts'

/** Maps anything thrown to an API error. Callers see only the message of an {@link ApiError}. */
export function toApiError(error: unknown, requestId: string): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof PartlyDone) {
    const { code, toldOf, retryAfterSeconds } = toApiError(error.cause, requestId)
    return new ApiError(code, toldOf(error.done), { retryAfterSeconds })
  }
  if (error instanceof EmbeddingRefused) {
    return new ApiError('embedding_unavailable', 'The embedding service refuses this search text. Try other words.')
  }
  if (error instanceof OtherModelActive) {
    return new ApiError(
      'embedding_unavailable',
      'The reviews are indexed for another embedding model than this server has. It finds them when all servers have the same embedding settings, and after an update once a server of this version (`pullquote serve`) has started.',
    )
  }
  if (error instanceof ReviewsReindexing) {
    return new ApiError(
      'embedding_unavailable',
      'The reviews are being indexed again for another embedding model, and none of those that are done fits this search. Try again when all are done (pullquote status).',
    )
  }
  if (error instanceof EmbeddingUnavailable) {
    return new ApiError('embedding_unavailable', 'The search text could not be embedded just now. Try again shortly.')
  }
  if (error instanceof CommitUnconfirmed) return unconfirmed()
  if (isDiskFull(error)) return databaseFull()
  if (isOverTemporaryLimit(error)) {
    return nothingWritten(
      'This takes more temporary files than the database allows (temp_file_limit).',
      'Raise that for its role, then try again.',
    )
  }
  if (isReadOnly(error)) {
    return nothingWritten(
      'The database takes no writes just now: it is a standby or read-only.',
      'Try again in a minute.',
    )
  }
  if (isTableGone(error)) {
    return nothingWritten(
      'The database lacks tables just now: it was emptied, or is being restored.',
      'Try again in a minute.',
    )
  }
  if (isHeldUp(error)) {
    return nothingWritten(
      'The database took too long: it is very busy, or another program has locked its tables (pullquote doctor names it).',
      'Try again in a minute.',
    )
  }
  if (isDatabaseUnavailable(error)) return databaseUnavailable()
  // Another request deleted this one's project, key or review; a retry finds it missing.
  if (isReferenceGone(error)) {
    return serviceUnavailable('What this request belongs to was deleted while it ran.')
  }
  return new ApiError('internal', `Something failed on the server. Its log has the cause under request ${requestId}.`)
}

/** Whether work ended because its client disconnected, which is not an error. */
export function isClientGone(error: unknown, request: Pick<Request, 'signal'>): boolean {
  if (!request.signal.aborted) return false
  return error === request.signal.reason || (error instanceof Error && error.name === 'AbortError')
}

/** 503: the database could not be reached or did not answer in time. */
export function databaseUnavailable(): ApiError {
  return nothingWritten('The database does not answer just now.', 'Try again in a minute.')
}

/** 503: the database was asked to write and did not confirm. */
export function unconfirmed(): ApiError {
  return serviceUnavailable(
    'The database did not confirm in time, and this may have been carried out. Reviews can be pushed again as they are, which changes nothing then; look first before you repeat anything else.',
  )
}
