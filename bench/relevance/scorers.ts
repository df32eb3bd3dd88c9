import { Tokenizer } from '../../server/embed/builtin/tokenizer.ts'
import { cosineOf } from '../../server/embed/calibrate.ts'
import type { Embedder, EmbedKind } from '../../server/embed/embedder.ts'

/** Scores a query against documents; `pairwise` also compares two texts, where a method can. */
export interface Scorer {
  name: string
  /** Prepares documents once; the result scores a query against some of them. */
  fit(documents: readonly string[], queries: readonly string[]): Promise<(query: number, pool: number[]) => number[]>
  pairwise?(a: readonly string[], b: readonly string[], kinds: [EmbedKind, EmbedKind]): Promise<Float64Array>
}

const tokenizer = new Tokenizer()

/** Any embedding provider, through the interface the server uses: cosines are calibrated ones. */
export class EmbedderScorer implements Scorer {
  readonly name: string
  readonly #embedder: Embedder
  readonly #cache = { document: new Map<string, Float32Array>(), query: new Map<string, Float32Array>() }

  constructor(name: string, embedder: Embedder) {
    this.name = name
    this.#embedder = embedder
  }

  async vectors(texts: readonly string[], kind: EmbedKind): Promise<Float32Array[]> {
    const cache = this.#cache[kind]
    const fresh = [...new Set(texts)].filter((text) => !cache.has(text))
    for (let i = 0; i < fresh.length; i += 256) {
      const batch = fresh.slice(i, i + 256)
      for (const [k, vector] of (await this.#embedder.embed(batch, kind)).entries()) cache.set(batch[k] ?? '', vector)
    }
    return texts.map((text) => cache.get(text) ?? new Float32Array(0))
  }

  async fit(documents: readonly string[], queries: readonly string[]) {
    const d = await this.vectors(documents, 'document')
    const q = await this.vectors(queries, 'query')
    const empty = new Float32Array(0)
    return (query: number, pool: number[]) => pool.map((i) => cosineOf(q[query] ?? empty, d[i] ?? empty))
  }

  async pairwise(a: readonly string[], b: readonly string[], kinds: [EmbedKind, EmbedKind]) {
    const [x, y] = [await this.vectors(a, kinds[0]), await this.vectors(b, kinds[1])]
    return Float64Array.from(x, (vector, i) => cosineOf(vector, y[i] ?? vector))
  }
}

/** Okapi BM25 with k1 = 1.2 and b = 0.75 (Robertson and Zaragoza 2009) over the builtin tokenizer's words. */
export class Bm25Scorer implements Scorer {
  readonly name = 'BM25'

  async fit(documents: readonly string[], queries: readonly string[]) {
    const postings = new Map<string, Map<number, number>>()
    const lengths = documents.map((text, i) => {
      const words = tokenizer.strings(text)
      for (const word of words) {
        const list = postings.get(word) ?? new Map<number, number>()
        postings.set(word, list.set(i, (list.get(i) ?? 0) + 1))
      }
      return words.length
    })
    const average = lengths.reduce((sum, n) => sum + n, 0) / lengths.length
    return (query: number, pool: number[]) => {
      const lists = [...new Set(tokenizer.strings(queries[query] ?? ''))].flatMap((word) => postings.get(word) ?? [])
      return pool.map((i) => {
        let score = 0
        for (const list of lists) {
          const f = list.get(i)
          if (f === undefined) continue
          const idf = Math.log(1 + (documents.length - list.size + 0.5) / (list.size + 0.5))
          score += (idf * f * 2.2) / (f + 1.2 * (0.25 + (0.75 * (lengths[i] ?? 0)) / average))
        }
        return score
      })
    }
  }
}

type Sparse = Map<string, number>

/** Cosine of TF-IDF weighted words, and with `grams` of character 3- to 5-grams beside them at a third of the weight. */
export class TfIdfScorer implements Scorer {
  readonly name: string
  readonly #grams: boolean
  readonly #df = new Map<string, number>()
  readonly #count: number

  constructor(corpus: readonly string[], grams: boolean) {
    this.name = grams ? 'hashed n-grams + words, IDF' : 'TF-IDF cosine'
    this.#grams = grams
    this.#count = corpus.length
    for (const text of corpus) {
      for (const feature of this.#features(text).keys()) this.#df.set(feature, (this.#df.get(feature) ?? 0) + 1)
    }
  }

  #features(text: string): Sparse {
    const out: Sparse = new Map()
    for (const word of tokenizer.strings(text)) {
      out.set(word, (out.get(word) ?? 0) + 1)
      if (!this.#grams) continue
      const marked = ` ${word} `
      for (let n = 3; n <= 5; n++) {
        for (let i = 0; i + n <= marked.length; i++) {
          const gram = `#${marked.slice(i, i + n)}`
          out.set(gram, (out.get(gram) ?? 0) + 0.3)
        }
      }
    }
    return out
  }

  #vector(text: string): Sparse {
    const out = this.#features(text)
    let square = 0
    for (const [feature, f] of out) {
      const idf = Math.log((1 + this.#count) / (1 + (this.#df.get(feature) ?? 0))) + 1
      const weight = (this.#grams ? f : 1 + Math.log(f)) * idf
      out.set(feature, weight)
      square += weight * weight
    }
    const size = Math.sqrt(square) || 1
    for (const [feature, weight] of out) out.set(feature, weight / size)
    return out
  }

  async fit(documents: readonly string[], queries: readonly string[]) {
    const d = documents.map((text) => this.#vector(text))
    return (query: number, pool: number[]) => {
      const q = this.#vector(queries[query] ?? '')
      return pool.map((i) => sparseDot(q, d[i] ?? new Map()))
    }
  }

  async pairwise(a: readonly string[], b: readonly string[]) {
    const cache = new Map<string, Sparse>()
    const vector = (text: string) => {
      const known = cache.get(text) ?? this.#vector(text)
      cache.set(text, known)
      return known
    }
    return Float64Array.from(a, (text, i) => sparseDot(vector(text), vector(b[i] ?? '')))
  }
}

function sparseDot(a: Sparse, b: Sparse): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a]
  let sum = 0
  for (const [feature, weight] of small) sum += weight * (large.get(feature) ?? 0)
  return sum
}
