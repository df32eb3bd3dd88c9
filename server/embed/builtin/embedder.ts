import { setImmediate as nextTurn } from 'node:timers/promises'
import { DEFAULT_SIMILARITY_FLOOR } from '../../../src/contract/limits.ts'
import { yieldToEventLoop } from '../../event-loop.ts'
import { LANGUAGE_SAMPLE } from '../../language-by-words.ts'
import { calibrate, calibrationFor, ROUNDING } from '../calibrate.ts'
import type { Embedder } from '../embedder.ts'
import { documentText, queryText } from './input-text.ts'
import { vectorLength } from './model.ts'
import { modelFiles } from './model-files.ts'
import { certainty } from './off-domain.ts'

/** Incremented whenever tokens, features, weights or sentences change: stored vectors of another version are embedded again. */
const MODEL_VERSION = 26
/**
 * How many of the last components a search compares first; the trained ones are ordered by how much they tell
 * (training/turn.py). Over the benchmark's 100,000 reviews only 2 % of the vectors are then read completely (median over its
 * queries, 3 % on average).
 */
const DECISIVE = 109
/**
 * Chosen over real and made-up reviews (bench/relevance/language-margin.ts): up to here, answers in another language hardly
 * lose, and an excerpt in another language rarely comes first.
 */
const LANGUAGE_MARGIN = 0.05
/** A foreign word, a typo and an unknown word: embedding them initialises everything that is lazy. */
const WARMING = 'jamon brekfast qwxzv'

/**
 * The model in the package: no network, no key, no native code. Its table is read once per process, at the first text.
 * @throws when a file of the model is missing or damaged
 */
export async function createBuiltinEmbedder(files = modelFiles()): Promise<Embedder> {
  const length = vectorLength(files.header)
  const k = calibrationFor(files.header.threshold, DEFAULT_SIMILARITY_FLOOR)
  return {
    id: `builtin/${MODEL_VERSION}/${length}/k${k.toFixed(3)}/${ROUNDING}`,
    dimensions: length + 1,
    // including the two components of doubt and the calibration's
    decisive: DECISIVE + length - files.header.dimensions + 1,
    languages: {
      possible: (text) => files.loaded.model.possibleLanguages(text.slice(0, LANGUAGE_SAMPLE)),
      knows: (text) => files.loaded.model.knowsLanguage(text),
      meanings: (query, words) => files.loaded.translation.read(query, words),
      wordsFor: (english, language) => files.loaded.translation.wordsFor(english, language),
      margin: LANGUAGE_MARGIN,
    },
    coverage: {
      read: (text) => files.loaded.coverage.read(documentText(text)),
      ask(query, likely) {
        const asked = files.loaded.coverage.ask(queryText(query), likely)
        return {
          isQuestion: asked.isQuestion,
          coverage: asked.coverage,
          doubt(texts) {
            const { missing, words, ofTexts } = asked.offDomain(texts)
            const left = certainty(missing, ofTexts)
            if (left === 1) return undefined
            // (c + k) / (1 + k) is calibrated, while the raw cosine is reduced
            return { words, lessen: (cosine) => Math.min(cosine, left * cosine + ((1 - left) * k) / (1 + k)) }
          },
        }
      },
    },
    isInstant: true,
    async warm() {
      const { model, translation } = files.loaded
      await nextTurn()
      model.encode(WARMING, 'query')
      await translation.warm(nextTurn)
    },
    async embed(texts, kind, signal, likely) {
      signal?.throwIfAborted()
      const out: Float32Array[] = []
      for (const text of texts) {
        // a single text is a query that somebody waits for
        if (texts.length > 1) await yieldToEventLoop()
        signal?.throwIfAborted()
        out.push(calibrate(files.loaded.model.encode(text, kind, likely), k, kind))
      }
      return out
    },
  }
}
