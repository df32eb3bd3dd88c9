// Stands in for @huggingface/transformers in a thread: a run of a text that begins with "wait" blocks it until a file of that name is there.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const PAUSE = new Int32Array(new SharedArrayBuffer(4))

export const env = { localModelPath: '' }

/** @param {string} _task @param {string} model a folder: the runs' files are looked for in it */
export async function pipeline(_task, model) {
  const folder = join(env.localModelPath, model)
  if (existsSync(join(folder, 'gone'))) throw new Error('the model is gone')
  /** @param {string[]} texts */
  return async (texts) => {
    for (const text of texts) {
      if (text === 'crash') process.exit(1)
      if (text === 'fail') throw new Error('the runtime failed')
      while (text.startsWith('wait') && !existsSync(join(folder, text))) Atomics.wait(PAUSE, 0, 0, 5)
    }
    return { dims: [texts.length, 2], data: Float32Array.from(texts.flatMap((text) => [1, text.length])) }
  }
}
