import { Languages } from './languages.ts'
import { Model } from './model.ts'
import { readModelFile } from './model-file.ts'
import { OffDomain } from './off-domain.ts'
import { Vocabulary } from './vocabulary.ts'
import { WordCoverage } from './word-coverage.ts'

interface SharedModel {
  model: Model
  coverage: WordCoverage
  /** The raw cosine that becomes the floor. */
  threshold: number
}

let shared: SharedModel | undefined

/**
 * The model in the package; its files are read once a process.
 *
 * @throws when a file is missing or damaged
 */
export function sharedModel(): SharedModel {
  if (shared === undefined) {
    const file = readModelFile(new URL('./embedding.bin', import.meta.url))
    const languages = new Languages(new URL('./languages.bin', import.meta.url))
    const words = new Vocabulary(file)
    const offDomain = new OffDomain(new URL('./off-domain.bin', import.meta.url), file.words.length)
    shared = {
      model: new Model(file, languages, words),
      coverage: new WordCoverage(file, words, languages, offDomain),
      threshold: file.threshold,
    }
  }
  return shared
}
