import { stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import * as v from 'valibot'
import { CodedError } from '../../src/contract/code-of.ts'
import { reasonOf } from '../../src/contract/connection-error.ts'
import { modelFacts } from './known-models.ts'

/** The optional package is missing or incompatible. */
export class TransformersMissing extends CodedError<'transformers_missing'> {
  constructor(cause: unknown) {
    super(
      'transformers_missing',
      `PULLQUOTE_EMBEDDER=transformers needs the package ${TRANSFORMERS_PACKAGE} beside pullquote: npm install ${TRANSFORMERS_PACKAGE}@3 (add -g if pullquote is installed globally)`,
      { cause },
    )
  }
}

/** `PULLQUOTE_EMBEDDING_MODEL` looks like a path but does not exist. */
export class ModelFolderMissing extends CodedError<'model_folder_missing'> {
  constructor(path: string) {
    super('model_folder_missing', `PULLQUOTE_EMBEDDING_MODEL: there is no folder ${path}`)
  }
}

/** The model cannot be loaded, or its output is not what an embedding is made of. */
export class ModelUnusable extends CodedError<'model_unusable'> {
  constructor(model: string, cause: unknown) {
    // What the hub's failure to answer says is "fetch failed".
    const why = cause instanceof Error && cause.cause ? `${cause.message}: ${reasonOf(cause)}` : reasonOf(cause)
    super(
      'model_unusable',
      `PULLQUOTE_EMBEDDING_MODEL: "${model}" cannot be used: ${why.replace(/\.+$/, '')}. It has to be an ONNX model for feature extraction (with the output last_hidden_state), on the Hugging Face hub or in a folder with all its files`,
      { cause },
    )
  }
}

export const TRANSFORMERS_PACKAGE = '@huggingface/transformers'

/** What identifies a model that is open. */
export interface ModelIdentity {
  /** Its name on the hub, or that of its folder. */
  name: string
  /** The precision of its weights, as the package names it. */
  dtype: string
  pooling: 'mean' | 'cls'
  /** Length of its vectors. */
  dimensions: number
}

export interface OpenModel extends ModelIdentity {
  /** One vector for each text, computed in one run. @param isUrgent whether somebody waits for it: it goes before others */
  run(texts: readonly string[], isUrgent: boolean): Promise<Float32Array[]>
  close(): Promise<void>
}

interface Tensor {
  dims: number[]
  data: ArrayLike<number>
  dispose?: () => void
}
type Extractor = (
  texts: readonly string[],
  options: { pooling: 'mean' | 'cls'; normalize: boolean },
) => Promise<unknown>

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
 * Opens an ONNX model through the optional package, which blocks the thread that it runs in: `transformers-thread.ts` calls this.
 * @param model a model's name on the Hugging Face hub, or a folder with its files
 * @throws {TransformersMissing}
 * @throws {ModelFolderMissing}
 * @throws {ModelUnusable}
 */
export async function openTransformersModel(model: string, load: () => Promise<unknown>): Promise<OpenModel> {
  const { pipeline, env } = await loadPackage(load)
  const folder = await localFolder(model)
  let name = model
  if (folder !== undefined) {
    // A folder needs no network.
    env.allowRemoteModels = false
    env.allowLocalModels = true
    env.localModelPath = dirname(folder)
    name = basename(folder)
  }
  const dtype = folder === undefined ? 'fp32' : await localPrecision(folder)
  const { pooling = 'mean' } = modelFacts(name)
  try {
    const built: unknown = await pipeline('feature-extraction', name, { dtype })
    const extractor = v.parse(isFunction, built) as Extractor
    const run = (texts: readonly string[]) => extract(name, extractor, texts, pooling)
    const [{ length: dimensions } = []] = await run(['A friendly place.'])
    const close = async () => {
      if ('dispose' in extractor && typeof extractor.dispose === 'function') await extractor.dispose()
    }
    return { name, dtype, pooling, dimensions, run, close }
  } catch (error) {
    throw new ModelUnusable(model, error)
  }
}

async function extract(name: string, extractor: Extractor, texts: readonly string[], pooling: 'mean' | 'cls') {
  const tensor = v.parse(tensorShape, await extractor(texts, { pooling, normalize: true }))
  const [rows, columns] = tensor.dims
  if (tensor.dims.length !== 2 || rows !== texts.length || columns === undefined) {
    throw new Error(`The model "${name}" does not give one vector for each text`)
  }
  const { data } = tensor
  const vectors = texts.map((_, row) =>
    Float32Array.from({ length: columns }, (_, i) => data[row * columns + i] ?? NaN),
  )
  tensor.dispose?.()
  if (vectors.some((vector) => !vector.every(Number.isFinite))) {
    throw new Error(`The model "${name}" gives numbers that are not finite`)
  }
  return vectors
}

async function loadPackage(load: () => Promise<unknown>) {
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
  if (/^(\.{0,2}\/|~|[A-Za-z]:\\)/.test(model)) throw new ModelFolderMissing(path)
  return undefined
}

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
