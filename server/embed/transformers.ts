import { stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import * as v from 'valibot'
import { CodedError } from '../../src/contract/code-of.ts'
import type { Log } from '../deps.ts'
import { type Embedder, EmbeddingUnavailable } from './embedder.ts'
import { modelFacts } from './known-models.ts'
import { type ModelSettings, vectorSpace } from './vector-space.ts'

export interface TransformersConfig extends ModelSettings {
  /** A model's name on the Hugging Face hub, or a folder with its files. */
  model: string
  /** Texts per run. */
  batch?: number | undefined
}

export interface TransformersDeps {
  log: Log
  /** Loads the optional package; replaced in tests. */
  load?: () => Promise<unknown>
}

/** The optional package is missing or incompatible. */
export class TransformersMissing extends CodedError<'transformers_missing'> {
  constructor(cause: unknown) {
    super(
      'transformers_missing',
      `PULLQUOTE_EMBEDDER=transformers needs the package ${PACKAGE} beside pullquote: npm install ${PACKAGE}@3 (add -g if pullquote is installed globally)`,
      { cause },
    )
  }
}

const PACKAGE = '@huggingface/transformers'
const BATCH = 16

interface Tensor {
  dims: number[]
  data: ArrayLike<number>
  dispose?: () => void
}
type Extractor = (texts: string[], options: { pooling: 'mean' | 'cls'; normalize: boolean }) => Promise<unknown>

const isFunction = v.custom<(...args: unknown[]) => unknown>((value) => typeof value === 'function')
const packageShape = v.looseObject({
  pipeline: isFunction,
  env: v.custom<Record<string, unknown>>((value) => typeof value === 'object' && value !== null),
})
const tensorShape = v.custom<Tensor>((value) => {
  if (typeof value !== 'object' || value === null || !('dims' in value) || !('data' in value)) return false
  return Array.isArray(value.dims) && ArrayBuffer.isView(value.data)
})

/**
 * Runs an ONNX model in this process through `@huggingface/transformers`, which is loaded only here: it and its native
 * runtime are many times the size of everything else.
 * @throws {TransformersMissing}
 */
export async function createTransformersEmbedder(
  config: TransformersConfig,
  deps: TransformersDeps,
): Promise<Embedder> {
  const { pipeline, env } = await loadPackage(deps.load)
  const folder = await localFolder(config.model)
  let model = config.model
  if (folder !== undefined) {
    // A folder needs no network.
    env.allowRemoteModels = false
    env.allowLocalModels = true
    env.localModelPath = dirname(folder)
    model = basename(folder)
  }
  const dtype = folder === undefined ? 'fp32' : await localPrecision(folder)
  const { pooling = 'mean' } = modelFacts(model)
  const built: unknown = await pipeline('feature-extraction', model, { dtype })
  const extractor = v.parse(isFunction, built) as Extractor
  const space = vectorSpace('transformers', { ...config, model }, [dtype, pooling], deps.log)

  const run = async (texts: string[]): Promise<Float32Array[]> => {
    const tensor = v.parse(tensorShape, await extractor(texts, { pooling, normalize: true }))
    const [rows, columns] = tensor.dims
    if (tensor.dims.length !== 2 || rows !== texts.length || columns === undefined) {
      throw new EmbeddingUnavailable(`The model "${model}" does not give one vector for each text`)
    }
    const { data } = tensor
    const vectors = texts.map((_, row) =>
      Float32Array.from({ length: columns }, (_, i) => data[row * columns + i] ?? NaN),
    )
    tensor.dispose?.()
    if (vectors.some((vector) => !vector.every(Number.isFinite))) {
      throw new Error(`The model "${model}" gives numbers that are not finite`)
    }
    return vectors
  }

  const [probe] = await run([space.mark('A friendly place.', 'query')])
  return {
    id: space.id,
    calibration: space.calibration,
    dimensions: (probe?.length ?? 0) + 1,
    async embed(texts, kind, signal) {
      const batch = config.batch ?? BATCH
      const vectors: Float32Array[] = []
      for (let at = 0; at < texts.length; at += batch) {
        signal?.throwIfAborted()
        const marked = texts.slice(at, at + batch).map((text) => space.mark(text, kind))
        try {
          for (const raw of await run(marked)) vectors.push(space.finish(raw, kind))
        } catch (error) {
          // The pipeline handles a document's error by finding the one at fault. A search can only fail.
          if (kind === 'document') throw error
          throw new EmbeddingUnavailable('The embedding model failed', { cause: error })
        }
      }
      return vectors
    },
    async close() {
      if ('dispose' in extractor && typeof extractor.dispose === 'function') await extractor.dispose()
    },
  }
}

async function loadPackage(load: () => Promise<unknown> = () => import(PACKAGE)) {
  let loaded: unknown
  try {
    loaded = await load()
  } catch (error) {
    throw new TransformersMissing(error)
  }
  const parsed = v.safeParse(packageShape, loaded)
  if (!parsed.success) throw new TransformersMissing(new Error('it has no pipeline()'))
  return parsed.output
}

/** The absolute path if the model is a folder on this machine. */
async function localFolder(model: string): Promise<string | undefined> {
  const path = resolve(model)
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory()) return path
  if (/^(\.{0,2}\/|~|[A-Za-z]:\\)/.test(model)) {
    throw new ModelFolderMissing('model_folder_missing', `PULLQUOTE_EMBEDDING_MODEL: there is no folder ${path}`)
  }
  return undefined
}

/** `PULLQUOTE_EMBEDDING_MODEL` looks like a path but does not exist. */
export class ModelFolderMissing extends CodedError<'model_folder_missing'> {}

/** The precision of the weights in a folder, as the package names it; full precision if there is a choice. */
async function localPrecision(folder: string): Promise<string> {
  const files: [file: string, dtype: string][] = [
    ['model.onnx', 'fp32'],
    ['model_fp16.onnx', 'fp16'],
    ['model_quantized.onnx', 'q8'],
  ]
  for (const [file, dtype] of files) {
    if (await stat(join(folder, 'onnx', file)).catch(() => undefined)) return dtype
  }
  return 'fp32'
}
