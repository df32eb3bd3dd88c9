/**
 * A worker in a process of its own, to be killed: `worker-process.ts DATABASE MODEL_ID MILLISECONDS_A_CALL
 * [kill|block|hang]`, where DATABASE is an address or the home of an embedded one. Prints `up` when it works, `began N`
 * before each call of the embedder and `embedded TEXT` for each text after it. With `kill` or `block` a text with "poison"
 * in it ends the process, or keeps its thread for ever; with `hang` no call after the second one ends.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../server/db/connect.ts'
import { openEmbedded } from '../../server/db/embedded/open-embedded.ts'
import { Worker } from '../../server/indexing/worker.ts'
import { silent } from '../database.ts'
import { fakeEmbedder } from './fake-embedder.ts'

const [database = '', modelId = '', pause = '', fault] = process.argv.slice(2)
const LEASE_SECONDS = 2
const inner = fakeEmbedder()
let calls = 0
const embedded = database.includes('://') ? undefined : await openEmbedded(database, silent)

function taste(text: string): void {
  if ((fault !== 'kill' && fault !== 'block') || !text.includes('poison')) return
  console.log(`poisoned ${text}`)
  if (fault === 'kill') process.kill(process.pid, 'SIGKILL')
  // Blocked as a loop without end would block it, but for the processor.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

const worker = new Worker({
  sql: embedded?.sql ?? connect({ url: database }),
  exclusive: embedded !== undefined,
  embedder: {
    ...inner,
    async embed(texts, kind) {
      console.log(`began ${texts.length}`)
      await sleep(Number(pause))
      if (fault === 'hang' && ++calls > 2) await new Promise(() => {})
      const vectors = await inner.embed(texts, kind)
      for (const text of texts) console.log(`embedded ${text}`)
      return vectors
    },
  },
  classify(text) {
    taste(text)
    return 'neutral'
  },
  log: silent,
  modelId: Number(modelId),
  leaseSeconds: LEASE_SECONDS,
  pollMilliseconds: 50,
})
console.log('up')
process.on('SIGTERM', async () => {
  await worker.stop()
  await embedded?.close()
  process.exit(0)
})
