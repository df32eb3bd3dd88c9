import { CodedError } from '../../src/contract/code-of.ts'
import { withAbort } from '../abort.ts'
import type { Log } from '../deps.ts'
import { describeError } from '../describe-error.ts'
import { intoGroups } from '../into-groups.ts'
import { type Embedder, EmbeddingRefused, EmbeddingUnavailable, type EmbedKind } from './embedder.ts'
import { embeddingsAddress, InputRefused, requestEmbeddings } from './openai-request.ts'
import { TextWindow } from './text-window.ts'
import { type ModelSettings, shortHash, type VectorSpace, vectorSpace } from './vector-space.ts'

export interface OpenAiConfig extends ModelSettings {
  /** `https://api.openai.com/v1`, `http://localhost:11434/v1` …, with or without a trailing `/embeddings`. */
  url: string
  key?: string | undefined
  /** Sent with each request, for models whose vectors can be shortened. */
  dimensions?: number | undefined
  /** Additional fields of the request's body, for services that need them: `{ input_type: 'query' }`. */
  queryFields?: Record<string, unknown> | undefined
  documentFields?: Record<string, unknown> | undefined
  timeoutMs?: number | undefined
  /** Texts per request. */
  batch?: number | undefined
  /** Concurrent requests. */
  concurrency?: number | undefined
}

export interface OpenAiDeps {
  fetch: typeof fetch
  log: Log
  /** The space that the database is indexed with. */
  activeName?: string | undefined
  /** Length of the vectors stored under an id, for a start while the service is unavailable. */
  storedDimensions?: ((id: string) => Promise<number | undefined>) | undefined
}

const TIMEOUT_MS = 30_000
const QUERY_TIMEOUT_MS = 10_000
/** The default limit of text-embeddings-inference; OpenAI accepts 2,048, with little to gain beyond a few dozen. */
const BATCH = 32
const [BATCH_CHARACTERS, CONCURRENCY] = [100_000, 4]
const PATIENCE = {
  document: { attempts: 4, longestPauseMs: 20_000 },
  query: { attempts: 2, longestPauseMs: 1_000 },
}
const HARMLESS = 'A friendly place.'

/**
 * Any service with OpenAI's `/v1/embeddings`. The first call determines the vectors' length; when the service is unavailable
 * at the start, the length is taken from the configuration or from stored vectors, and the server starts anyway.
 * @throws {EmbeddingUnavailable} the service is unavailable and the length of its vectors is unknown
 */
export async function createOpenAiEmbedder(config: OpenAiConfig, deps: OpenAiDeps): Promise<Embedder> {
  const { dimensions, queryFields, documentFields } = config
  const fields = queryFields || documentFields ? [`f${shortHash(JSON.stringify([queryFields, documentFields]))}`] : []
  const details = [...(dimensions === undefined ? [] : [String(dimensions)]), ...fields]
  const space = vectorSpace('openai', config, details, deps)
  const service = new Service(config, deps)
  const length = await service.vectorLength(space)
  return {
    id: space.id,
    calibration: space.calibration,
    dimensions: length + 1,
    async embed(texts, kind, signal) {
      if (texts.length === 0) return []
      const marked = texts.map((text) => space.mark(text, kind))
      const { raw, failure } = await service.embed(marked, kind, signal)
      const vectors = raw.map((vector) => {
        if (vector !== undefined && vector.length !== length) {
          const message = `The embedding service answered vectors of ${vector.length} components instead of ${length}`
          throw new EmbeddingUnavailable(message)
        }
        return vector && space.finish(vector, kind)
      })
      if (failure) {
        const { message, retryAfterSeconds, status } = failure
        throw new EmbeddingUnavailable(message, { cause: failure, retryAfterSeconds, status, vectors })
      }
      const complete = vectors.filter((vector) => vector !== undefined)
      if (complete.length < vectors.length) throw new EmbeddingRefused(service.lastRefusal, vectors)
      return complete
    },
  }
}

/** The service ignores the requested vector length. */
export class DimensionsIgnored extends CodedError<'dimensions_ignored'> {
  constructor(asked: number, answered: number) {
    super(
      'dimensions_ignored',
      `PULLQUOTE_EMBEDDING_DIMENSIONS is ${asked}, but the model answers with ${answered}; leave it out or set ${answered}`,
    )
  }
}

/** Raw vectors in input order, `undefined` for a text that the service refuses or that a failure kept from it. */
interface Embedded {
  raw: (Float32Array | undefined)[]
  failure?: EmbeddingUnavailable | undefined
}

/** State of one call of `embed`, which may take several requests. */
interface Call {
  kind: EmbedKind
  /** How long to retry: as for a search, or as for indexing. */
  patience: EmbedKind
  controller: AbortController
  /** The service accepted a harmless text during this call. */
  provenWell: boolean
}

class Service {
  readonly #config: OpenAiConfig
  readonly #deps: OpenAiDeps
  readonly #address: string
  readonly #window: TextWindow
  #batch: number
  lastRefusal = 'refused a text'

  constructor(config: OpenAiConfig, deps: OpenAiDeps) {
    this.#config = config
    this.#deps = deps
    this.#address = embeddingsAddress(config.url)
    this.#batch = config.batch ?? BATCH
    this.#window = new TextWindow(config.concurrency ?? CONCURRENCY, this.#batch)
  }

  /** @throws {EmbeddingUnavailable} before anything was embedded */
  embed(texts: readonly string[], kind: EmbedKind, signal?: AbortSignal, patience = kind): Promise<Embedded> {
    return withAbort({ signal }, async (controller) => {
      const call = { kind, patience, controller, provenWell: false }
      // A search does not queue behind documents.
      if (kind === 'query' && texts.length === 1) return { raw: await this.#embedOrSplit(texts, call) }
      return this.#embedInTurns(texts, call)
    })
  }

  /** Asks the service; if it is unavailable, uses the configuration or stored vectors. @throws {EmbeddingUnavailable} */
  async vectorLength(space: VectorSpace): Promise<number> {
    const { dimensions } = this.#config
    const stored = dimensions !== undefined ? dimensions + 1 : await this.#deps.storedDimensions?.(space.id)
    try {
      // Without a length nothing starts, so the service gets time: some load a model on the first request.
      const patience = stored === undefined ? 'document' : 'query'
      const [vector] = (await this.embed([space.mark(HARMLESS, 'query')], 'query', undefined, patience)).raw
      if (!vector) throw new EmbeddingUnavailable(`The embedding service ${this.lastRefusal}`)
      if (dimensions !== undefined && vector.length !== dimensions) {
        throw new DimensionsIgnored(dimensions, vector.length)
      }
      return vector.length
    } catch (error) {
      if (!(error instanceof EmbeddingUnavailable)) throw error
      if (stored === undefined) throw error
      this.#deps.log.warn({ error: describeError(error) }, `starting without vectors of new texts: ${error.message}`)
      return stored - 1
    }
  }

  /** Sends the texts in as many requests as they take, each as soon as the service has room for it. */
  async #embedInTurns(texts: readonly string[], call: Call): Promise<Embedded> {
    const { controller } = call
    const raw: Embedded['raw'] = new Array(texts.length).fill(undefined)
    const send = async (at: number, count: number) => {
      try {
        const vectors = await this.#embedOrSplit(texts.slice(at, at + count), call)
        raw.splice(at, count, ...vectors)
      } catch (error) {
        // The other requests of the call would be in vain.
        controller.abort(error)
      } finally {
        this.#window.leave(count)
      }
    }
    const sent: Promise<void>[] = []
    try {
      for (let at = 0, count = 0; at < texts.length; at += count) {
        count = await this.#window.enter(this.#fitting(texts, at), controller.signal)
        sent.push(send(at, count))
      }
      await Promise.all(sent)
      controller.signal.throwIfAborted()
      return { raw }
    } catch (error) {
      // A service that limits its requests may never answer all of a large call at once.
      if (error instanceof EmbeddingUnavailable && raw.some((vector) => vector !== undefined))
        return { raw, failure: error }
      throw error
    }
  }

  /** How many of the texts from `at` on one request may have. */
  #fitting(texts: readonly string[], at: number): number {
    return (
      intoGroups(texts.slice(at, at + this.#batch), (text) => text.length, { size: BATCH_CHARACTERS })[0]?.length ?? 0
    )
  }

  async #embedOrSplit(texts: readonly string[], call: Call): Promise<(Float32Array | undefined)[]> {
    call.controller.signal.throwIfAborted()
    try {
      return await this.#request(texts, call)
    } catch (error) {
      if (!(error instanceof InputRefused)) throw error
      this.lastRefusal = error.message
      await this.#proveWell(call, error)
      if (texts.length === 1) return [undefined]
      const half = Math.ceil(texts.length / 2)
      const vectors = [
        ...(await this.#embedOrSplit(texts.slice(0, half), call)),
        ...(await this.#embedOrSplit(texts.slice(half), call)),
      ]
      // Each half succeeded, so their number was the problem.
      if (half < this.#batch && vectors.every((vector) => vector !== undefined)) {
        this.#batch = half
        this.#deps.log.warn({ batch: half }, 'the embedding service takes no more texts a request than this')
      }
      return vectors
    }
  }

  /** Tells a text that is refused from a service that refuses every text, for example because of a wrong setting. */
  async #proveWell(call: Call, refusal: InputRefused): Promise<void> {
    if (call.provenWell) return
    try {
      await this.#request([HARMLESS], call)
      call.provenWell = true
    } catch (error) {
      if (!(error instanceof InputRefused)) throw error
      throw new EmbeddingUnavailable(`The embedding service refuses every text; it ${refusal.message}`)
    }
  }

  #request(input: readonly string[], { kind, patience, controller }: Call): Promise<Float32Array[]> {
    const { key, model, dimensions, queryFields, documentFields, timeoutMs = TIMEOUT_MS } = this.#config
    const fields = kind === 'query' ? queryFields : documentFields
    const among = this.#window.texts
    return requestEmbeddings({
      fetch: this.#deps.fetch,
      address: this.#address,
      key,
      body: { ...fields, model, input, dimensions },
      timeoutMs: patience === 'query' ? Math.min(timeoutMs, QUERY_TIMEOUT_MS) : timeoutMs,
      ...PATIENCE[patience],
      signal: controller.signal,
      took: (milliseconds) => {
        if (input.length === 1) this.#window.tookAlone(milliseconds)
        else this.#window.took(milliseconds, among)
      },
    })
  }
}
