import pLimit from 'p-limit'
import { serviceUnavailable } from '../../http/api-error.ts'

/** Waiting uploads hold their files in memory. */
const WAITING = 8
const RETRY_SECONDS = 5

/** Imports that run one after the other, in order, with a limited number waiting. */
export class UploadQueue {
  readonly #limit = pLimit(1)

  /** Runs the work when its turn comes. @throws ApiError `service_unavailable` at once, when too many are waiting */
  run<T>(work: () => Promise<T>): Promise<T> {
    this.assertNotFull()
    return this.#limit(work)
  }

  /** For a caller that must know before it starts its response. @throws ApiError `service_unavailable` */
  assertNotFull(): void {
    if (this.#limit.activeCount + this.#limit.pendingCount <= WAITING) return
    throw serviceUnavailable(
      `An import is running on this server and ${WAITING} more are waiting. Nothing was imported; send the file again later.`,
      RETRY_SECONDS,
    )
  }
}

/** A zip may expand fortyfold. */
const SMALL_BYTES = 1_048_576

/**
 * Runs large files one after the other, since an import's memory grows with its file: 230 MB for 10 MiB. Small ones run
 * alongside, so that they do not wait for minutes.
 */
export class UploadQueues {
  readonly #small = new UploadQueue()
  readonly #large = new UploadQueue()

  queueFor(file: { bytes: Uint8Array; isZip: boolean }): UploadQueue {
    return file.isZip || file.bytes.byteLength > SMALL_BYTES ? this.#large : this.#small
  }
}
