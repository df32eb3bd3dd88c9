// @ts-check
// Runs a module as a worker thread (start-thread.ts). Plain JavaScript, because a worker thread starts without the TypeScript loader, which the tests
// and `npm run dev` need and the built package does not have.
import { workerData } from 'node:worker_threads'

const { entry } = /** @type {{ entry: string }} */ (workerData)
if (entry.endsWith('.ts')) {
  const { register } = await import('tsx/esm/api')
  register()
}
await import(entry)
