import { Languages } from './languages.ts'
import { Model } from './model.ts'
import { readModelFile } from './model-file.ts'

let shared: { model: Model; threshold: number } | undefined

/**
 * The model in the package with the raw cosine that becomes its floor; its files are read once a process.
 *
 * @throws when a file is missing or damaged
 */
export function sharedModel(): { model: Model; threshold: number } {
  if (shared === undefined) {
    const file = readModelFile(new URL('./embedding.bin', import.meta.url))
    const languages = new Languages(new URL('./languages.bin', import.meta.url))
    shared = { model: new Model(file, languages), threshold: file.threshold }
  }
  return shared
}
