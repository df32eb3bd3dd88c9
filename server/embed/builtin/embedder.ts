import { DEFAULT_SIMILARITY_FLOOR } from '../../../src/contract/limits.ts'
import { yieldToEventLoop } from '../../event-loop.ts'
import { calibrate, calibrationFor, ROUNDING } from '../calibrate.ts'
import type { Embedder } from '../embedder.ts'
import { certainty } from './off-domain.ts'
import { sharedModel } from './shared-model.ts'

/** Bumped whenever tokens, features or weights change: stored vectors of another version are embedded again. */
const MODEL_VERSION = 7
/**
 * Chosen over real reviews and made-up ones (bench/relevance/language-margin.ts): up to here what answers in another language
 * hardly loses, and an excerpt in another language seldom comes first.
 */
const LANGUAGE_MARGIN = 0.05
/** Characters of a text that tell its language. */
const LANGUAGE_SAMPLE = 200

/**
 * The model in the package: no network, no key, no native code. The file is read once a process.
 *
 * @throws when the model file is missing or damaged
 */
export async function createBuiltinEmbedder(): Promise<Embedder> {
  const { model, coverage, threshold } = sharedModel()
  const k = calibrationFor(threshold, DEFAULT_SIMILARITY_FLOOR)
  return {
    id: `builtin/${MODEL_VERSION}/${model.dimensions}/k${k.toFixed(3)}/${ROUNDING}`,
    dimensions: model.dimensions + 1,
    languages: {
      possible: (text) => model.possibleLanguages(text.slice(0, LANGUAGE_SAMPLE)),
      margin: LANGUAGE_MARGIN,
    },
    coverage: {
      read: (text) => coverage.read(text),
      ask(query) {
        const asked = coverage.ask(query)
        return {
          coverage: asked.coverage,
          doubt(texts) {
            const { missing, words, ofTexts } = asked.offDomain(texts)
            const left = certainty(missing, ofTexts)
            if (left === 1) return undefined
            // (c + k) / (1 + k) is calibrated: what is lessened is the raw cosine.
            return { words, lessen: (cosine) => Math.min(cosine, left * cosine + ((1 - left) * k) / (1 + k)) }
          },
        }
      },
    },
    isInstant: true,
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
