import { madeUpVector } from './embeddings-server.ts'

/** Stands in for `@huggingface/transformers`: the two names that are used of it, with tensors of its shape. */
export function fakeTransformers() {
  const opened: { task: string; model: string; options: unknown }[] = []
  const runs: { texts: string[]; options: unknown }[] = []
  const state = { disposedTensors: 0, disposed: false, fails: (_text: string) => false }
  const extractor = async (texts: string[], options: unknown) => {
    runs.push({ texts, options })
    if (texts.some(state.fails)) throw new Error('the runtime failed')
    return {
      dims: [texts.length, 24],
      data: Float32Array.from(texts.flatMap((text) => madeUpVector(text))),
      dispose() {
        state.disposedTensors++
      },
    }
  }
  const module = {
    env: { allowRemoteModels: true, allowLocalModels: false, localModelPath: '/models/' },
    async pipeline(task: string, model: string, options: unknown) {
      opened.push({ task, model, options })
      return Object.assign(extractor, {
        async dispose() {
          state.disposed = true
        },
      })
    },
  }
  return { module, opened, runs, state }
}
