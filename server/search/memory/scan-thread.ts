/** A worker thread that searches tables in shared memory, so that a long scan blocks no other request. */
import { parentPort, workerData } from 'node:worker_threads'
import { viewsOf } from './block-allocator.ts'
import { findCandidatesInMemory } from './find-candidates.ts'
import { createScan } from './kernel.ts'
import type { ThreadAnswer, ThreadRequest } from './scan-threads.ts'
import { findInPart } from './split-scan.ts'
import type { Scanner } from './table-scan.ts'

if (!parentPort) throw new Error('scan-thread runs as a worker thread')
const port = parentPort
const { memory, scratches }: { memory: WebAssembly.Memory; scratches: readonly number[] } = workerData
const scanner: Scanner = { views: viewsOf(memory), scan: createScan(memory), scratches }

port.on('message', ({ requests, part }: ThreadRequest) => {
  const [first] = requests
  const answer: ThreadAnswer =
    part && first
      ? [findInPart(scanner, first, part)].flatMap((found) => found ?? [])
      : findCandidatesInMemory(scanner, requests)
  port.postMessage(answer)
})
