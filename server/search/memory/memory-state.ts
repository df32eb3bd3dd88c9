/** What a process holds in memory for searches, as `/readyz`, metrics and `doctor` tell it. */
export interface MemoryState {
  budget: number
  bytes: number
  /** Environments whose index answers, those being loaded, and those that do not fit. */
  loaded: number
  loading: number
  refused: number
  excerpts: number
  /** Threads that run, and how many ended by themselves. */
  threads: number
  threads_lost: number
  /** Searches answered in memory: by this thread, small ones, and by others. */
  inline: number
  threaded: number
}
