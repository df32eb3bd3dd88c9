import { untilAborted } from '../abort.ts'
import type { Log } from '../deps.ts'
import { intoGroups } from '../into-groups.ts'
import { type Embedder, EmbeddingUnavailable } from './embedder.ts'
import type { OpenModel } from './transformers-model.ts'
import { openModelInThread } from './transformers-worker.ts'
import { type ModelSettings, vectorSpace } from './vector-space.ts'

export interface TransformersConfig extends ModelSettings {
  /** A model's name on the Hugging Face hub, or a folder with its files. */
  model: string
  /** Texts per run. */
  batch?: number | undefined
}

export interface TransformersDeps {
  log: Log
  /** The space that the database is indexed with. */
  activeName?: string | undefined
  /** Opens the model; replaced in tests. */
  openModel?: (model: string) => Promise<OpenModel>
}

const BATCH = 16
/** A search waits for the run that has begun, so that a run should be short. */
const BATCH_CHARACTERS = 2_000

/**
 * Runs an ONNX model on this machine through `@huggingface/transformers`, which is loaded only here: it and its native runtime
 * are many times the size of everything else.
 * @throws what `openTransformersModel` throws
 */
export async function createTransformersEmbedder(
  config: TransformersConfig,
  { log, activeName, openModel = openModelInThread }: TransformersDeps,
): Promise<Embedder> {
  const model = await openModel(config.model)
  const space = vectorSpace('transformers', { ...config, model: model.name }, [model.dtype, model.pooling], {
    log,
    activeName,
  })
  return {
    id: space.id,
    calibration: space.calibration,
    dimensions: model.dimensions + 1,
    async embed(texts, kind, signal) {
      const runs = intoGroups(texts, (text) => text.length, { size: BATCH_CHARACTERS, count: config.batch ?? BATCH })
      const vectors: Float32Array[] = []
      for (const run of runs) {
        signal?.throwIfAborted()
        const marked = run.map((text) => space.mark(text, kind))
        try {
          const raw = await untilAborted(model.run(marked, kind === 'query'), signal)
          for (const one of raw) vectors.push(space.finish(one, kind))
        } catch (error) {
          // The pipeline handles a document's error by finding the one at fault. A search can only fail.
          if (kind === 'document' || signal?.aborted) throw error
          throw new EmbeddingUnavailable('The embedding model failed', { cause: error })
        }
      }
      return vectors
    },
    close: () => model.close(),
  }
}
