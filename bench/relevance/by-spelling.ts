import type { Embedder } from '../../server/embed/embedder.ts'
import { accept } from '../../server/ingest/accept.ts'
import { createResultCache } from '../../server/search/cache.ts'
import { createSearch } from '../../server/search/search.ts'
import { environmentRevision } from '../../server/sql/excerpts/search-rows.ts'
import { parseQueryBody } from '../../src/contract/parse-query.ts'
import { makeProject, openBenchService, silent } from '../service.ts'
import { mean } from './measures.ts'
import type { LanguageSet } from './other-languages.ts'

export interface SpellingFigures {
  language: string
  /** Sentences a review. */
  sentences: number
  /** Of what is shown, over all that is right. */
  map: number
  /** Share of the queries that show anything whose first result is right. */
  first: number
  precision: number
  silent: number
}

const MOST_SHOWN = 20
const WRITTEN = new Date('2026-01-01T00:00:00Z')
/** Reviews of three sentences are put together of such that stand so far apart, each of another topic. */
const APART = 25

/**
 * The whole search over made-up sentences, as reviews of one sentence each, and of three about three topics, as `/v1/query`
 * answers it at the default floor: at most {@link MOST_SHOWN} reviews. The reviews don't say their language.
 */
export async function measureBySpelling(
  kind: string,
  embedder: Embedder,
  sets: readonly LanguageSet[],
): Promise<SpellingFigures[]> {
  const service = await openBenchService(kind, { embedder, keys: 1 })
  const { sql, modelId, worker } = service
  const cache = createResultCache({ entries: 0, bytes: 0 })
  const search = createSearch({ sql, embedder, modelId, cache, log: silent })
  try {
    const out: SpellingFigures[] = []
    for (const { language, documents, queries } of sets) {
      for (const sentences of [1, 3]) {
        const project = { ...(await makeProject(sql, `${language} ${sentences}`)), minRating: 1 }
        const parts = documents.map((_, i) =>
          Array.from({ length: sentences }, (_, part) => (i + part * APART) % documents.length),
        )
        const rows = parts.map((of, i) => ({
          external_id: String(i),
          source: 'google' as const,
          author_name: String(i),
          rating: 5,
          occurred_at: WRITTEN,
          text: of.map((at) => documents[at]).join(' '),
        }))
        await accept(sql, project, 'live', rows, {})
        worker.nudge()
        await worker.idle()
        const revision = (await environmentRevision(sql, { projectId: project.id, env: 'live' })) ?? ''
        const every = await Promise.all(
          queries.map(async ({ text: q, relevant }) => {
            const request = parseQueryBody({ q, limit: MOST_SHOWN, mode: 'reviews', fallback: 'none' })
            if (!request.ok) throw new Error(`no query: ${q}`)
            const answer = await search({ project, env: 'live', revision }, request.value, { bypassCache: true })
            if (!answer.ok) throw new Error(answer.code)
            const isRight = (of: readonly number[] = []) => of.some((at) => relevant.has(at))
            const good = answer.results.map(({ review }) => isRight(parts[Number(review.author_name)]))
            return { good, all: parts.filter(isRight).length }
          }),
        )
        const shown = every.filter(({ good }) => good.length > 0)
        out.push({
          language,
          sentences,
          map: mean(every.map(({ good, all }) => averagePrecision(good) / all)),
          first: mean(shown.map(({ good }) => Number(good[0]))),
          precision: mean(shown.flatMap(({ good }) => good.map(Number))),
          silent: 1 - shown.length / every.length,
        })
      }
    }
    return out
  } finally {
    await service.close()
  }
}

/** Times the number of right ones. */
function averagePrecision(good: readonly boolean[]): number {
  let [hits, sum] = [0, 0]
  for (const [i, right] of good.entries()) if (right) sum += ++hits / (i + 1)
  return sum
}
