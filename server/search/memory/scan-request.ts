import type { CandidateQuery, SearchDepth } from '../candidates.ts'
import type { Thresholds } from '../policy.ts'
import { NEAREST_LIMIT } from '../rank.ts'
import { maxDistance, queryPositions, requiredMatches, type WordForms } from '../words.ts'
import { pairText } from './dictionary.ts'
import type { ExcerptTable } from './excerpt-table.ts'
import type { TableView } from './table-view.ts'

/** A search of a table as numbers, for whichever thread does it. */
export interface ScanRequest {
  table: TableView
  /** As a row has it: the head, then the rest. */
  query: Int16Array
  /** A little more than the length of the query's rest, as the kernel wants it. */
  reach: number
  policy: {
    minRating: number
    withoutComplaints: boolean
    /** Sources by their numbers. */
    sources: number[] | null
    /** Milliseconds since 1970. */
    since: number | null
    /** Pairs of metadata by their numbers. */
    pairs: Int32Array
  }
  words: {
    /** By the excerpt's configuration: the numbers of the words, -1 for one that no excerpt has or that is left out. */
    wanted: Int32Array[]
    /** By the excerpt's configuration: how many of those that count make half of them, 0 for none. */
    needed: number[]
    /** The words that count, a bit each. */
    counted: number
    /** How many there are. */
    count: number
  }
  thresholds: Thresholds
  /** Largest distance at which an excerpt may pass. */
  farthest: number
  /** How many of the nearest are asked for words, and weigh them. */
  nearest: number
  depth: SearchDepth
}

export function scanRequest(table: ExcerptTable, query: CandidateQuery): ScanRequest {
  const { vector, forms, policy, thresholds, depth } = query
  const view = table.view()
  const rest = vector.subarray(0, vector.length - view.decisive)
  const values = new Int16Array(view.head + view.rest)
  values.set(vector.subarray(rest.length))
  values.set(rest, view.head)
  return {
    table: view,
    query: values,
    reach: 1 + Math.sqrt(rest.reduce((sum, x) => sum + x * x, 0)),
    policy: {
      minRating: policy.minRating,
      withoutComplaints: policy.withoutComplaints,
      sources: policy.sources ? policy.sources.map((name) => table.sources.indexOf(name)) : null,
      since: policy.since?.getTime() ?? null,
      // As `@>` takes a list with a key twice: the last counts.
      pairs: Int32Array.from(
        Object.entries(Object.fromEntries(policy.metadata)).map(([key, value]) =>
          table.dictionary.find(pairText(key, value)),
        ),
      ),
    },
    words: wordsOf(table, forms),
    thresholds,
    farthest: maxDistance(forms, thresholds),
    nearest: NEAREST_LIMIT,
    depth,
  }
}

/** As `wordMatches` in sql/word-matches.ts: the excerpt's configuration picks its stems, unless there is only one. */
function wordsOf(table: ExcerptTable, every: readonly WordForms[]): ScanRequest['words'] {
  const { forms, positions, counted } = queryPositions(every)
  const formOf = (config: string) => (forms.length === 1 ? forms[0] : forms.find((form) => form.config === config))
  const found = table.configs.map((config) => {
    const form = formOf(config)
    const number = (i: number) => (form?.stems[i] ? table.dictionary.find(form.stems[i] ?? '') : -1)
    return { wanted: Int32Array.from(positions.map(number)), needed: form ? requiredMatches(form) : 0 }
  })
  return {
    wanted: found.map(({ wanted }) => wanted),
    needed: found.map(({ needed }) => needed),
    counted: counted.reduce((bits, bit) => bits | (1 << bit), 0),
    count: positions.length,
  }
}
