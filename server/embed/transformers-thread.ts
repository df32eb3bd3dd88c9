import { parentPort, workerData } from 'node:worker_threads'
import { codeOf } from '../../src/contract/code-of.ts'
import { openTransformersModel } from './transformers-model.ts'
import type { ThreadRequest, ThreadResponse, ThreadSettings } from './transformers-worker.ts'

/** The thread of a model that runs through `@huggingface/transformers` (`transformers-worker.ts`). */
async function serve(settings: ThreadSettings): Promise<void> {
  const answer = (response: ThreadResponse) => parentPort?.postMessage(response)
  try {
    const opened = await openTransformersModel(settings.model, () => import(settings.package))
    parentPort?.on('message', (request: ThreadRequest) => {
      if (request === 'close') {
        void opened.close().finally(() => parentPort?.close())
        return
      }
      opened.run(request.texts, false).then(
        (vectors) => answer({ vectors }),
        (error: unknown) => answer({ failed: messageOf(error) }),
      )
    })
    const { name, dtype, pooling, dimensions } = opened
    answer({ opened: { name, dtype, pooling, dimensions } })
  } catch (error) {
    answer({ refused: { code: codeOf(error), message: messageOf(error) } })
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

void serve(workerData as ThreadSettings)
