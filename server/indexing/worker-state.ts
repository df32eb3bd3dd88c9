import type { Waiting } from './back-off.ts'

/** What a worker is doing, for whoever asks after its health. */
export interface WorkerState {
  status: 'idle' | 'indexing' | 'waiting' | 'stopped'
  /** Why nothing is claimed now, and when that is looked at again. */
  waiting?: Waiting | undefined
  /** Reviews since the start of this process. */
  indexed: number
  /** Tries that failed, since the start of this process. */
  failed: number
  lastIndexedAt?: Date | undefined
}
