import { yieldToEventLoop } from '../../event-loop.ts'
import { calibrate, calibrationFor, ROUNDING } from '../calibrate.ts'
import type { Embedder } from '../embedder.ts'
import { sharedModel } from './shared-model.ts'

/** Bumped whenever tokens, features or weights change: stored vectors of another version are embedded anew. */
const MODEL_VERSION = 6
const FLOOR = 0.66

/**
 * The model in the package: no network, no key, no native code. The file is read once a process.
 *
 * @throws when the model file is missing or damaged
 */
export async function createBuiltinEmbedder(): Promise<Embedder> {
  const { model, threshold } = sharedModel()
  const k = calibrationFor(threshold, FLOOR)
  return {
    id: `builtin/${MODEL_VERSION}/${model.dimensions}/k${k.toFixed(3)}/${ROUNDING}`,
    dimensions: model.dimensions + 1,
    async embed(texts, kind, signal) {
      signal?.throwIfAborted()
      const out: Float32Array[] = []
      for (const text of texts) {
        // A lone one is a query, which somebody waits for.
        if (texts.length > 1) await yieldToEventLoop()
        signal?.throwIfAborted()
        out.push(calibrate(model.encode(text, kind), k, kind))
      }
      return out
    },
  }
}
