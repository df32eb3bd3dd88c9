import { CodedError } from '../../src/contract/code-of.ts'

/**
 * The one interface behind which every embedding provider stands. The rest of the server sees only this: it never
 * knows whether vectors come from the package, an HTTP service or an ONNX runtime.
 */
export interface Embedder {
  /**
   * Name of the vector space, e.g. `builtin/8/258/k0.706/i8`. It changes whenever vectors stop being comparable (another
   * model, another dimension, another calibration or rounding); vectors under different ids are never compared.
   */
  readonly id: string
  /** Length of every vector, the calibration component included. */
  readonly dimensions: number
  /**
   * How many of the last components, the calibration's included, hold most of what tells its texts apart, of a model whose
   * components stand in that order: a search can leave most vectors by these alone. Undefined for all others.
   */
  readonly decisive?: number | undefined
  /** The constant that moves its cosines (see `calibrate.ts`), of a model that an operator chose; undefined for the built-in one. */
  readonly calibration?: number | undefined
  /** Defined for a model that compares texts of two languages less well than texts of one. */
  readonly languages?: EmbeddingLanguages | undefined
  /** Defined for a model that compares words as well. */
  readonly coverage?: WordComparison | undefined
  /** Whether a query is embedded in this process at once, at no cost. */
  readonly isInstant?: boolean | undefined
  /**
   * Embeds texts as vectors of whole numbers, in input order: a document's fit into int8 and are stored as they are. The
   * cosine of two of them is already calibrated (see `calibrate.ts`), so that the default floor of 0.66 is this model's
   * best threshold. Their lengths say nothing.
   *
   * @param kind `document` for excerpts, `query` for search text: some models embed the two differently.
   * @throws {EmbeddingUnavailable} when the provider cannot answer now; retrying later may work.
   * @throws {EmbeddingRefused} when it refuses some of the texts and embedded the others.
   */
  embed(texts: readonly string[], kind: EmbedKind, signal?: AbortSignal): Promise<Float32Array[]>
  /** Reads what the first text would otherwise wait for, in turns that leave others time. */
  warm?(): Promise<void>
  /** Releases what the provider holds (sockets, an ONNX session). */
  close?(): Promise<void>
}

export interface EmbeddingLanguages {
  /** The languages that a text may be in, a bit each. Two texts without a common bit are in different languages. */
  possible(text: string): number
  /** How much nearer than an excerpt in the query's language one in another must be, to stand before it. */
  margin: number
}

/** How much of what a query says a text says too, word by word. */
export interface WordComparison {
  /** The words of a text, to be kept. */
  read(text: string): Int32Array
  ask(query: string): AskedQuery
}

/** A query, to be compared with texts whose words were read. */
export interface AskedQuery {
  /** Whether it asks, so that both sides answer it; a few words without a question wish for one. */
  isQuestion: boolean
  /**
   * For each of the texts that come nearest to the query: 1 when it says all of it, 0 when it says nothing of it. What tells
   * it from the others counts for more than what most of them say.
   */
  coverage(texts: readonly Int32Array[]): number[]
  /** Whether the texts that come nearest to the query are about something else; undefined when they are not. */
  doubt(texts: readonly Int32Array[]): Doubt | undefined
}

/** A query about what no text near it says: its cosines are those of the same query with a vector of more doubt. */
export interface Doubt {
  /** Lowers a cosine. None is raised, and the order stays. */
  lessen(cosine: number): number
  /** The words that it is about. */
  words: string[]
}

export type EmbedKind = 'document' | 'query'

/** The provider could not embed now: it is down, slow, overloaded or answered nonsense. Retryable. */
export class EmbeddingUnavailable extends CodedError<'embedding_unavailable' | 'embedding_refused'> {
  /** How long the provider asked to be left alone, when it said so. */
  readonly retryAfterSeconds: number | undefined
  /** With which HTTP status it answered, when it did. */
  readonly status: number | undefined
  constructor(
    message: string,
    options?: ErrorOptions & { retryAfterSeconds?: number | undefined; status?: number | undefined },
    code: EmbeddingUnavailable['code'] = 'embedding_unavailable',
  ) {
    super(code, message, options)
    this.retryAfterSeconds = options?.retryAfterSeconds
    this.status = options?.status
  }
}

/**
 * The provider is well but refuses some of the texts, each for its own sake. The others were embedded: `vectors` stands
 * in input order, `undefined` where a text was refused, so that one text keeps no other waiting.
 */
export class EmbeddingRefused extends EmbeddingUnavailable {
  readonly vectors: readonly (Float32Array | undefined)[]
  constructor(message: string, vectors: readonly (Float32Array | undefined)[]) {
    super(message, {}, 'embedding_refused')
    this.vectors = vectors
  }
}
