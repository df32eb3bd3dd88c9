import { setImmediate as nextTurn } from 'node:timers/promises'
import { DEFAULT_SIMILARITY_FLOOR } from '../../../src/contract/limits.ts'
import { yieldToEventLoop } from '../../event-loop.ts'
import { calibrate, calibrationFor, ROUNDING } from '../calibrate.ts'
import type { Embedder } from '../embedder.ts'
import { vectorLength } from './model.ts'
import { modelFiles } from './model-files.ts'
import { certainty } from './off-domain.ts'

/** Bumped whenever tokens, features or weights change: stored vectors of another version are embedded again. */
const MODEL_VERSION = 12
/**
 * Of the trained components, which stand in the order of what they tell (training/turn.py), the last ones that a search compares
 * first. Over the bench's 100,000 reviews 2 % of the vectors are then read to their ends (median of its queries, 3 % on average).
 */
const DECISIVE = 109
/**
 * Chosen over real reviews and made-up ones (bench/relevance/language-margin.ts): up to here what answers in another language
 * hardly loses, and an excerpt in another language seldom comes first.
 */
const LANGUAGE_MARGIN = 0.05
/** Characters of a text that tell its language. */
const LANGUAGE_SAMPLE = 200
/** A word of another language, a slip and a word that nobody knows: what is made at the first of each is made. */
const WARMING = 'jamon brekfast qwxzv'

/**
 * The model in the package: no network, no key, no native code. Its table is read once a process, at the first text.
 *
 * @throws when a file of the model is missing or damaged
 */
export async function createBuiltinEmbedder(files = modelFiles()): Promise<Embedder> {
  const length = vectorLength(files.header)
  const k = calibrationFor(files.header.threshold, DEFAULT_SIMILARITY_FLOOR)
  return {
    id: `builtin/${MODEL_VERSION}/${length}/k${k.toFixed(3)}/${ROUNDING}`,
    dimensions: length + 1,
    // with the two of doubt and the calibration's
    decisive: DECISIVE + length - files.header.dimensions + 1,
    languages: {
      possible: (text) => files.loaded.model.possibleLanguages(text.slice(0, LANGUAGE_SAMPLE)),
      margin: LANGUAGE_MARGIN,
    },
    coverage: {
      read: (text) => files.loaded.coverage.read(text),
      ask(query) {
        const asked = files.loaded.coverage.ask(query)
        return {
          isQuestion: asked.isQuestion,
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
    async warm() {
      const { model } = files.loaded
      await nextTurn()
      model.encode(WARMING, 'query')
    },
    async embed(texts, kind, signal) {
      signal?.throwIfAborted()
      const out: Float32Array[] = []
      for (const text of texts) {
        // A lone one is a query, which somebody waits for.
        if (texts.length > 1) await yieldToEventLoop()
        signal?.throwIfAborted()
        out.push(calibrate(files.loaded.model.encode(text, kind), k, kind))
      }
      return out
    },
  }
}
