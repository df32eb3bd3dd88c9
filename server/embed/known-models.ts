/** Facts about a model that users should not have to look up. */
export interface ModelFacts {
  /**
   * Raw cosine between a short question and a passage above which the passage is usually relevant. The calibration constant
   * derived from it puts the default floor of 0.66 there.
   */
  threshold: number
  /** Prepended to search texts and documents, for models trained with such prefixes. */
  queryPrefix?: string
  documentPrefix?: string
  /** How token vectors are pooled; default mean. Only for models that this server runs itself. */
  pooling?: 'mean' | 'cls'
}

const INSTRUCT = 'Instruct: Find review passages that answer the query\nQuery: '
const REPRESENT = 'Represent this sentence for searching relevant passages: '

/**
 * By part of the model's name, first match wins. Prefixes and pooling are those of the models' own pages. The thresholds are
 * starting points from the known range of each family's cosines; those of all-MiniLM-L6-v2, bge-small-en-v1.5 and e5-small-v2
 * were measured (`bench/RESULTS.md`). `pullquote doctor` measures a model's scores. `PULLQUOTE_EMBEDDING_CALIBRATION`
 * overrides the result, and a project's `similarity_floor` does the fine-tuning.
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
