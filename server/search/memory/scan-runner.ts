import type { Candidates } from '../candidates.ts'
import { BlockAllocator } from './block-allocator.ts'
import { findCandidatesInMemory } from './find-candidates.ts'
import { createScan } from './kernel.ts'
import type { ScanRequest } from './scan-request.ts'
import { ScanThreadLost, ScanThreads } from './scan-threads.ts'
import type { SearchMemoryDeps } from './search-memory.ts'
import type { Scanner } from './table-scan.ts'
import { bytesRead } from './table-view.ts'

/** Bytes of vectors that a scan reads in about a millisecond on a busy processor, a third of that on an idle one. */
const INLINE_BYTES = 1.75 * 1024 * 1024

/** The memory of all indexes and their scans: small ones run on this thread, others on worker threads. */
export class ScanRunner {
  readonly allocator: BlockAllocator
  readonly threads: ScanThreads
  readonly #scanner: Scanner
  readonly #inlineBytes: number
  /** Searches run on this thread. */
  inline = 0

  /** @throws {RangeError} when memory cannot be allocated */
  constructor({ budget, log, threads, inlineBytes = INLINE_BYTES }: Omit<SearchMemoryDeps, 'sql' | 'dimensions'>) {
    this.allocator = new BlockAllocator(budget)
    const { memory, views } = this.allocator
    this.#scanner = { views, scan: createScan(memory), scratches: [this.allocator.allocate()] }
    this.#inlineBytes = inlineBytes
    this.threads = new ScanThreads({ allocator: this.allocator, log, threads, partBytes: inlineBytes * 2 })
  }

  /** @returns undefined when the thread ended */
  async find(request: ScanRequest): Promise<Candidates | undefined> {
    if (bytesRead(request.table) <= this.#inlineBytes) {
      this.inline++
      return findCandidatesInMemory(this.#scanner, [request])[0]
    }
    try {
      return await this.threads.find(request)
    } catch (error) {
      if (error instanceof ScanThreadLost) return undefined
      throw error
    }
  }
}
