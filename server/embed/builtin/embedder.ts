import { setImmediate as nextTurn } from 'node:timers/promises'
import { calibrate, calibrationFor, ROUNDING } from '../calibrate.ts'
import type { Embedder } from '../embedder.ts'
import { Model } from './model.ts'
import { readModelFile } from './model-file.ts'

/** Bumped whenever tokens, features or weights change: stored vectors of another version are embedded anew. */
const MODEL_VERSION = 5
const FLOOR = 0.66
/** Texts embedded before other work of the process gets its turn: a few milliseconds. */
const TEXTS_A_TURN = 128

let shared: Model | undefined
let threshold = 0

/**
 * The model in the package: no network, no key, no native code. The file is read once a process.
 *
 * @throws when the model file is missing or damaged
 */
export async function createBuiltinEmbedder(): Promise<Embedder> {
  if (shared === undefined) {
    const file = readModelFile(new URL('./embedding.bin', import.meta.url))
    threshold = file.threshold
    shared = new Model(file)
  }
  const model = shared
  const k = calibrationFor(threshold, FLOOR)
  return {
    id: `builtin/${MODEL_VERSION}/${model.dimensions}/k${k.toFixed(3)}/${ROUNDING}`,
    dimensions: model.dimensions + 1,
    async embed(texts, kind, signal) {
      const out: Float32Array[] = []
      for (const [i, text] of texts.entries()) {
        if (i > 0 && i % TEXTS_A_TURN === 0) {
          await nextTurn()
          signal?.throwIfAborted()
        }
        out.push(calibrate(model.encode(text, kind), k, kind))
      }
      return out
    },
  }
}
