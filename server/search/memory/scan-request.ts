import type { CandidateQuery, SearchDepth } from '../candidates.ts'
import type { Thresholds } from '../policy.ts'
import { NEAREST_LIMIT } from '../rank.ts'
import { lexemesOf, maxDistance, queryPositions, requiredMatches, type WordForms } from '../words.ts'
import { pairText } from './dictionary.ts'
import type { ExcerptTable } from './excerpt-table.ts'
import type { TableView } from './table-view.ts'

/** A search of a table in numbers, for any thread. */
export interface ScanRequest {
  table: TableView
  /** Laid out like a row: the head, then the rest. */
  query: Int16Array
  /** Slightly more than the length of the query's rest, for the kernel's bound. */
  reach: number
  policy: {
    minRating: number
    withoutComplaints: boolean
    /** Numbers of the sources. */
    sources: number[] | null
    /** Milliseconds since 1970. */
    since: number | null
    /** Numbers of the metadata pairs. */
    pairs: Int32Array
  }
  words: {
    /** By configuration: the numbers of the words' lexemes, -1 for one that no excerpt has. */
    wanted: Int32Array[]
    /** By configuration: the bit of the word that each of the numbers is a form of. */
    bits: Int32Array[]
    /** By configuration: the numbers of each phrase's lexemes, and the bit of the word that it is a form of. */
    phrases: { numbers: Int32Array; bit: number }[][]
    /** By configuration: how many counting words make half of them, 0 when there are none. */
    needed: number[]
    /** Bit mask of the words that count. */
    counted: number
    /** Number of words. */
    count: number
  }
  thresholds: Thresholds
  /** Maximum distance of an excerpt that may pass. */
  farthest: number
  /** How many of the nearest are examined for words, and determine their weights. */
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
      // Of a repeated key the last value counts, as in the list given to `@>`.
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

/** Like `wordMatches` in sql/word-matches.ts: the excerpt's configuration selects its stems, unless there is only one. */
function wordsOf(table: ExcerptTable, every: readonly WordForms[]): ScanRequest['words'] {
  const { forms, positions, counted } = queryPositions(every)
  const formOf = (config: string) => (forms.length === 1 ? forms[0] : forms.find((form) => form.config === config))
  const found = table.configs.map((config) => {
    const form = formOf(config)
    const forms = positions.flatMap((position, i) =>
      (form ? lexemesOf(form, position) : []).map((all) => ({
        numbers: Int32Array.from(all, (lexeme) => table.dictionary.find(lexeme)),
        bit: 1 << i,
      })),
    )
    const single = forms.filter(({ numbers }) => numbers.length === 1)
    return {
      wanted: Int32Array.from(single, ({ numbers }) => numbers[0] ?? -1),
      bits: Int32Array.from(single, ({ bit }) => bit),
      phrases: forms.filter(({ numbers }) => numbers.length > 1),
      needed: form ? requiredMatches(form) : 0,
    }
  })
  return {
    wanted: found.map(({ wanted }) => wanted),
    bits: found.map(({ bits }) => bits),
    phrases: found.map(({ phrases }) => phrases),
    needed: found.map(({ needed }) => needed),
    counted: counted.reduce((bits, bit) => bits | (1 << bit), 0),
    count: positions.length,
  }
}
