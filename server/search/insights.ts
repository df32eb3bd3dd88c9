import type { Log, Sql } from '../deps.ts'
import { describeError } from '../describe-error.ts'
import type { EnvironmentScope } from '../sql/scope.ts'
import { addInsights, type InsightRow } from '../sql/usage/query-insights.ts'
import { beginningBefore, mayBeSecond } from '../sql/usage/second-queries.ts'
import type { SearchOutcome } from './cache.ts'
import type { Search } from './search.ts'

export type Insights = ReturnType<typeof createInsights>

const FLUSH_MS = 10_000
/** Different queries between two flushes; more than this is a flood, not visitors. */
const PENDING = 1_000
const QUERY_LENGTH = 200
const PERSONAL = /@|(?:\d[\s./-]?){6,}/

/** Counts searches in memory and adds the counts to the database every ten seconds, at no cost to a query's latency. */
export function createInsights(deps: { sql: Sql; log: Log; flushMs?: number }) {
  const { sql, log, flushMs = FLUSH_MS } = deps
  let pending = new Map<string, InsightRow>()
  /** Second queries wait for one more flush: by then every server has written the first ones. */
  let held: InsightRow[] = []
  let running: Promise<void> = Promise.resolve()

  const write = async () => {
    const recorded = [...pending.values()]
    const rows = [...recorded.filter((row) => !mayBeSecond(row)), ...held]
    held = recorded.filter(mayBeSecond)
    pending = new Map()
    try {
      if (rows.length > 0) await addInsights(sql, rows)
    } catch (error) {
      // Counts are not worth a retry, and an unavailable database is logged elsewhere.
      log.debug({ error: describeError(error), queries: rows.length }, 'counts of searches were not kept')
    }
  }
  const flush = () => {
    running = running.then(write)
    return running
  }
  const timer = setInterval(() => void flush(), flushMs).unref()

  return {
    /** Counts one search at the next flush; a crash may lose a few seconds of counts. */
    record({ projectId, env, q, match }: EnvironmentScope & { q: string; match: SearchOutcome['match'] }) {
      const query = normalizeQuery(q)
      if (query === undefined) return
      const key = `${projectId} ${env} ${query}`
      const row = pending.get(key) ?? { projectId, env, query, searches: 0, empty: 0, fallbacks: 0 }
      if (row.searches === 0 && pending.size >= PENDING) return
      row.searches++
      if (match === 'none') row.empty++
      if (match === 'fallback') row.fallbacks++
      pending.set(key, row)
    },
    flush,
    async stop() {
      clearInterval(timer)
      await flush()
      await flush()
    },
  }
}

/**
 * The form under which a query is counted, the same for different spellings; undefined when it is empty or may contain an
 * address or a phone number: visitors paste all sorts of things into search boxes. Of a page's heading and description
 * what comes before it is kept.
 */
export function normalizeQuery(q: string): string | undefined {
  const query = q.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim().slice(0, QUERY_LENGTH).toWellFormed()
  if (query === '') return undefined
  return PERSONAL.test(query) ? beginningBefore(query, PERSONAL) : query
}

/** Wraps a search so that it is counted. */
export function withInsights(search: Search, insights: Insights): Search {
  return async (context, request, options) => {
    const answer = await search(context, request, options)
    if (answer.ok && request.q !== undefined && !options.skipInsights) {
      insights.record({ projectId: context.project.id, env: context.env, q: request.q, match: answer.match })
    }
    return answer
  }
}
