import { type FreeSpace, LEAST_FREE_BYTES } from '../db/home/free-space.ts'
import { serviceUnavailable } from './api-error.ts'

const RETRY_SECONDS = 30

/**
 * Refuses what would store reviews while the disk of the embedded database is almost full. A database that runs out of
 * room in the middle of a write has to be started again; reading goes on.
 *
 * @throws {ApiError} `service_unavailable`
 */
export async function requireDiskSpace(freeSpace: FreeSpace | undefined): Promise<void> {
  const bytes = await freeSpace?.()
  if (bytes === undefined || bytes >= LEAST_FREE_BYTES) return
  const free = Math.floor(bytes / 1e6)
  throw serviceUnavailable(
    `The disk of the server is full: ${free} MB are free, and ${Math.ceil(LEAST_FREE_BYTES / 1e6)} MB are needed to store reviews. What was to be stored now is not: send the request again when there is room.`,
    RETRY_SECONDS,
  )
}
