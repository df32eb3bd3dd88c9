import { type FreeSpace, LEAST_FREE_BYTES } from '../db/home/free-space.ts'
import { type ApiError, nothingWritten } from './api-error.ts'

const RETRY_SECONDS = 30

/**
 * Rejects requests that would store reviews while the disk of the embedded database is almost full. A database that runs out
 * of space in the middle of a write must be restarted; reading remains possible.
 * @throws {ApiError} `service_unavailable`
 */
export async function requireDiskSpace(freeSpace: FreeSpace | undefined): Promise<void> {
  const bytes = await freeSpace?.()
  if (bytes === undefined || bytes >= LEAST_FREE_BYTES) return
  const free = Math.floor(bytes / 1e6)
  throw nothingWritten(
    `The disk of the server is full: ${free} MB are free, and ${Math.ceil(LEAST_FREE_BYTES / 1e6)} MB are needed to store reviews.`,
    'Try again when there is room.',
    RETRY_SECONDS,
  )
}

/** 503: PostgreSQL's disk is full, of which only the failed statement tells. */
export function databaseFull(): ApiError {
  return nothingWritten('The disk of the database is full.', 'Try again when there is room.', RETRY_SECONDS)
}
