/**
 * A worker in a process of its own, to be killed: `worker-process.ts URL MODEL_ID MILLISECONDS_A_CALL`. Prints `began N`
 * before each call of the embedder and `embedded TEXT` for each text after it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../server/db/connect.ts'
import { startWorker } from '../../server/ingest/worker.ts'
import { silent } from '../database.ts'
import { fakeEmbedder } from './fake-embedder.ts'

const [url = '', modelId = '', pause = ''] = process.argv.slice(2)
const inner = fakeEmbedder()
const worker = startWorker({
  sql: connect({ url }),
  embedder: {
    ...inner,
    async embed(texts, kind) {
      console.log(`began ${texts.length}`)
      await sleep(Number(pause))
      const vectors = await inner.embed(texts, kind)
      for (const text of texts) console.log(`embedded ${text}`)
      return vectors
    },
  },
  classify: () => 'neutral',
  log: silent,
  modelId: Number(modelId),
  leaseSeconds: 2,
  pollMilliseconds: 50,
})
process.on('SIGTERM', async () => {
  await worker.stop()
  process.exit(0)
})
