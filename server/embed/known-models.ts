/** Facts about a model that a user should not have to look up. */
export interface ModelFacts {
  /**
   * Raw cosine between a short question and a passage from which the passage is usually relevant. It becomes the
   * calibration constant, so that the default floor of 0.66 stands there.
   */
  threshold: number
  /** Put before search texts and before documents, for models that were trained with such marks. */
  queryPrefix?: string
  documentPrefix?: string
  /** How token vectors become one; mean by default. Matters only where this server runs the model itself. */
  pooling?: 'mean' | 'cls'
}

const INSTRUCT = 'Instruct: Find review passages that answer the query\nQuery: '
const REPRESENT = 'Represent this sentence for searching relevant passages: '

/**
 * By a part of the model's name, first match wins. The prefixes and the pooling are the ones the models' own pages ask
 * for. The thresholds are starting points from the ranges that each family's cosines are known to lie in; but for one they were
 * not measured here. `pullquote doctor` measures where a model's scores lie. `PULLQUOTE_EMBEDDING_CALIBRATION` replaces what follows
 * from them, and a project's `similarity_floor` tunes what is left.
 */
const KNOWN: [name: RegExp, facts: ModelFacts][] = [
  [/text-embedding-3-(small|large)/i, { threshold: 0.35 }],
  [/text-embedding-ada-002/i, { threshold: 0.79 }],
  [/multilingual-e5.*-instruct/i, { threshold: 0.8, queryPrefix: INSTRUCT }],
  [/\be5-/i, { threshold: 0.8, queryPrefix: 'query: ', documentPrefix: 'passage: ' }],
  [/nomic-embed-text/i, { threshold: 0.6, queryPrefix: 'search_query: ', documentPrefix: 'search_document: ' }],
  [/bge-m3/i, { threshold: 0.5, pooling: 'cls' }],
  [/bge-(small|base|large)-en/i, { threshold: 0.6, queryPrefix: REPRESENT, pooling: 'cls' }],
  [/mxbai-embed-large/i, { threshold: 0.55, queryPrefix: REPRESENT, pooling: 'cls' }],
  [/arctic-embed.*v2/i, { threshold: 0.35, queryPrefix: 'query: ', pooling: 'cls' }],
  [/arctic-embed/i, { threshold: 0.3, queryPrefix: REPRESENT, pooling: 'cls' }],
  [
    /embeddinggemma/i,
    { threshold: 0.4, queryPrefix: 'task: search result | query: ', documentPrefix: 'title: none | text: ' },
  ],
  [/qwen3-embedding/i, { threshold: 0.45, queryPrefix: INSTRUCT }],
  [/gte-(small|base|large)/i, { threshold: 0.8 }],
  [/paraphrase-multilingual-minilm/i, { threshold: 0.35 }],
  // Measured for all-MiniLM-L6-v2 (measure-scores.ts); the other two were trained on the same pairs.
  [/all-minilm|multi-qa-minilm|all-mpnet/i, { threshold: 0.45 }],
]

/** For an unknown model: about the middle of the known thresholds. */
const UNKNOWN: ModelFacts = { threshold: 0.45 }

/** @returns the facts, and whether the model was known */
export function modelFacts(model: string): ModelFacts & { known: boolean } {
  const found = KNOWN.find(([name]) => name.test(model))
  return found ? { ...found[1], known: true } : { ...UNKNOWN, known: false }
}
