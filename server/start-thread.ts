import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Starts a worker thread with a module of the server: TypeScript in a checkout, otherwise the compiled file. @param name
 * without extension
 */
export function startThread(name: string, options: WorkerOptions): Worker {
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const entry = new URL(`./${name}.${ending}`, import.meta.url).href
  const workerData = { ...options.workerData, entry }
  return new Worker(new URL('./thread-start.js', import.meta.url), { ...options, workerData })
}
