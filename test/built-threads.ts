import module from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Worker, WorkerOptions } from 'node:worker_threads'

const root = join(import.meta.dirname, '..')

/**
 * Makes server threads started from now on (server/start-thread.ts) run the built files: a thread that loads the sources
 * takes half a second of CPU time, and every import starts one.
 *
 * @param cli the entry of the installed command line
 */
export function runBuiltThreads(cli: string): void {
  const threads: { Worker: typeof Worker } = module.createRequire(import.meta.url)('node:worker_threads')
  threads.Worker = class extends threads.Worker {
    constructor(script: string | URL, options: WorkerOptions = {}) {
      const { entry } = options.workerData ?? {}
      if (typeof entry !== 'string' || !entry.endsWith('.ts')) super(script, options)
      else {
        const source = relative(root, fileURLToPath(entry))
        const built = pathToFileURL(join(cli, '..', '..', 'dist', source.replace(/ts$/, 'js'))).href
        super(script, { ...options, workerData: { ...options.workerData, entry: built }, execArgv: [] })
      }
    }
  }
  module.syncBuiltinESMExports()
}
