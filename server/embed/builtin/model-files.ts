import { Languages } from './languages.ts'
import { Model } from './model.ts'
import { type ModelHeader, readModelFile, readModelHeader } from './model-file.ts'
import { OffDomain } from './off-domain.ts'
import { QueryTranslation } from './query-translation.ts'
import { Vocabulary } from './vocabulary.ts'
import { WordCoverage } from './word-coverage.ts'

interface SharedModel {
  model: Model
  coverage: WordCoverage
  translation: QueryTranslation
}

interface Opened {
  header: ModelHeader
  languages: Languages
  offDomain: OffDomain
}

/** The files of the model, in one folder. */
export class ModelFiles {
  readonly #table: URL
  readonly #opened: Opened
  #loaded: SharedModel | undefined

  /**
   * Checks that the files exist and are complete. The table itself takes a tenth of a second and is read on demand.
   * @throws when one is missing or damaged
   */
  constructor(folder: URL) {
    this.#table = new URL('embedding.bin', folder)
    const header = readModelHeader(this.#table)
    const languages = new Languages(new URL('languages.bin', folder))
    const offDomain = new OffDomain(new URL('off-domain.bin', folder), header.wordCount)
    this.#opened = { header, languages, offDomain }
  }

  get header(): ModelHeader {
    return this.#opened.header
  }

  /** @throws when the table was replaced or damaged since */
  get loaded(): SharedModel {
    if (this.#loaded) return this.#loaded
    const { header, languages, offDomain } = this.#opened
    const file = readModelFile(this.#table)
    // Vectors of the new table would be compared with the old one's under the same name.
    if (file.words.length !== header.wordCount || file.threshold !== header.threshold) {
      throw new Error(`${this.#table.href} was replaced meanwhile; start again.`)
    }
    const words = new Vocabulary(file)
    this.#loaded = {
      model: new Model(file, languages, words),
      coverage: new WordCoverage(file, words, languages, offDomain),
      translation: new QueryTranslation(languages, words),
    }
    return this.#loaded
  }
}

let files: ModelFiles | undefined

/** The model in the package; its files are checked once per process. @throws when one is missing or damaged */
export function modelFiles(): ModelFiles {
  files ??= new ModelFiles(new URL('./', import.meta.url))
  return files
}

/** The same with its table, read on the first call. */
export function sharedModel(): SharedModel {
  return modelFiles().loaded
}
