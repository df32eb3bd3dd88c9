/** A thread that searches tables in the shared memory, so that a long scan keeps no other request waiting. */
import { parentPort, workerData } from 'node:worker_threads'
import { viewsOf } from './block-allocator.ts'
import { findCandidatesInMemory } from './find-candidates.ts'
import { createScan } from './kernel.ts'
import type { ThreadAnswer, ThreadRequest } from './scan-threads.ts'

if (!parentPort) throw new Error('scan-thread runs as a worker thread')
const port = parentPort
const { memory, scratch }: { memory: WebAssembly.Memory; scratch: number } = workerData
const scanner = { views: viewsOf(memory), scan: createScan(memory), scratch }

port.on('message', ({ id, request }: ThreadRequest) => {
  const answer: ThreadAnswer = { id, candidates: findCandidatesInMemory(scanner, request) }
  port.postMessage(answer)
})
