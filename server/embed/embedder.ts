import { CodedError } from '../../src/contract/code-of.ts'

/**
 * The interface of every embedding provider. The rest of the server does not know whether vectors come from the package, an
 * HTTP service or an ONNX runtime.
 */
export interface Embedder {
  /**
   * Name of the vector space, e.g. `builtin/8/258/k0.706/i8`. It changes whenever vectors stop being comparable (another
   * model, dimension, calibration or rounding); vectors with different ids are never compared.
   */
  readonly id: string
  /** Length of every vector, including the calibration component. */
  readonly dimensions: number
  /**
   * How many of the last components, the calibration's included, tell texts apart best, for a model whose components are in
   * that order: a search can rule out most vectors by these alone. Undefined for other models.
   */
  readonly decisive?: number | undefined
  /**
   * The constant of its calibration (see `calibrate.ts`) for a model that an operator chose; undefined for the built-in one.
   */
  readonly calibration?: number | undefined
  /** Defined for a model that compares texts in two languages less well than texts in one. */
  readonly languages?: EmbeddingLanguages | undefined
  /** Defined for a model that also compares words. */
  readonly coverage?: WordComparison | undefined
  /** Whether a query is embedded in this process at once, at no cost. */
  readonly isInstant?: boolean | undefined
  /**
   * Embeds texts as vectors of integers, in input order; those of documents fit into int8 and are stored as they are. Their
   * cosines are already calibrated (see `calibrate.ts`), so that the default floor of 0.66 is this model's best threshold.
   * Their lengths mean nothing.
   * @param kind `document` for excerpts, `query` for search text: some models embed the two differently.
   * @param languages for queries, the languages of the excerpts that they are compared with (ISO 639-1), as far as they are
   * known: a model that reads words by language prefers these for a word that several have
   * @throws {EmbeddingUnavailable} when the provider cannot answer now; retrying later may work. It has the vectors of the texts
   * that were embedded before.
   * @throws {EmbeddingRefused} when it refuses some of the texts and embedded the others.
   */
  embed(
    texts: readonly string[],
    kind: EmbedKind,
    signal?: AbortSignal,
    languages?: readonly string[],
  ): Promise<Float32Array[]>
  /** Loads what the first text would otherwise wait for, in steps that leave time for others. */
  readonly warm?: (() => Promise<void>) | undefined
  /** Releases what the provider holds (sockets, an ONNX session). */
  close?(): Promise<void>
}

export interface EmbeddingLanguages {
  /** The languages that a text may be in, a bit each. Two texts without a common bit are in different languages. */
  possible(text: string): number
  /** Whether it knows words of the language that a text is in; one in any other is compared by its spelling. */
  knows(text: string): boolean
  /**
   * The languages that a query may be in (ISO 639-1, the likeliest first), and for each of these words of it the English one that
   * it mainly is in the first of them; empty where nothing.
   */
  meanings(query: string, words: readonly string[]): { languages: string[]; english: string[] }
  /** What an English word is in a language, the most frequent words first, also phrases; empty where nothing. */
  wordsFor(english: string, language: string): string[]
  /** By how much an excerpt in another language must be nearer to rank ahead of one in the query's language. */
  margin: number
}

/** How much of a query a text covers, word by word. */
export interface WordComparison {
  /** The words of a text, for caching. */
  read(text: string): Int32Array
  /** @param languages as in `Embedder.embed` */
  ask(query: string, languages?: readonly string[]): AskedQuery
}

/** A query, to be compared with texts whose words were read. */
export interface AskedQuery {
  /** Whether it is a question, which both sides answer; a few words without a question want one side. */
  isQuestion: boolean
  /**
   * For each of the texts nearest to the query: how much of the query it covers, from 0 to 1. What distinguishes a text from
   * the others counts for more than what most of them say.
   */
  coverage(texts: readonly Int32Array[]): number[]
  /** Whether the texts nearest to the query are about something else; undefined when they are not. */
  doubt(texts: readonly Int32Array[]): Doubt | undefined
}

/**
 * For a query about something that no text near it mentions: its cosines become those of the same query with more doubt in
 * its vector.
 */
export interface Doubt {
  /** Reduces a cosine, preserving the order. */
  lessen(cosine: number): number
  /** The words that it is about. */
  words: string[]
}

export type EmbedKind = 'document' | 'query'

/** The provider could not embed now: it is down, slow, overloaded or answered nonsense. Retryable. */
export class EmbeddingUnavailable extends CodedError<'embedding_unavailable' | 'embedding_refused'> {
  /** How long to wait before the next attempt, if the provider said so. */
  readonly retryAfterSeconds: number | undefined
  /** HTTP status of the response, if any. */
  readonly status: number | undefined
  /** In input order, `undefined` where a text was not embedded; undefined itself if none was. */
  readonly vectors: readonly (Float32Array | undefined)[] | undefined
  constructor(
    message: string,
    options?: ErrorOptions & Partial<Pick<EmbeddingUnavailable, 'retryAfterSeconds' | 'status' | 'vectors'>>,
    code: EmbeddingUnavailable['code'] = 'embedding_unavailable',
  ) {
    super(code, message, options)
    this.retryAfterSeconds = options?.retryAfterSeconds
    this.status = options?.status
    this.vectors = options?.vectors
  }
}

/** The reviews are indexed for another server's model, so this one's queries cannot be compared with them. */
export class OtherModelActive extends EmbeddingUnavailable {
  constructor() {
    super('another embedding model is the active one now')
  }
}

/** Reviews still wait to be indexed for this model, so that finding nothing does not mean that nothing fits. */
export class ReviewsReindexing extends EmbeddingUnavailable {
  constructor() {
    super('reviews are being indexed again for this model')
  }
}

/**
 * The provider works but refuses some of the texts. The others were embedded: `vectors` is in input order, `undefined` where
 * a text was refused, so that one text holds up no other.
 */
export class EmbeddingRefused extends EmbeddingUnavailable {
  declare readonly vectors: readonly (Float32Array | undefined)[]
  constructor(message: string, vectors: readonly (Float32Array | undefined)[]) {
    super(message, { vectors }, 'embedding_refused')
  }
}
