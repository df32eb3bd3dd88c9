// @ts-check
// Runs a module as a worker thread (start-thread.ts). Plain JavaScript, because a worker thread starts without the TypeScript loader, which the tests
// and `npm run dev` need and the built package does not have.
import { workerData } from 'node:worker_threads'

const { entry } = /** @type {{ entry: string }} */ (workerData)

async function start() {
  if (entry.endsWith('.ts')) {
    const { register } = await import('tsx/esm/api')
    register()
  }
  await import(entry)
}

// Does not await at the top level of the module: a thread that is terminated at the moment such a module completes takes the
// whole process with it from Node 22 on (nodejs/node#62114). A failure in here still ends the thread with its error.
void start()
