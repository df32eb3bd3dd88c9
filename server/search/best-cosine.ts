import { environmentRevision } from '../sql/excerpts/search-rows.ts'
import type { Scope } from '../sql/scope.ts'
import type { ModelDeps } from './candidates.ts'
import type { SearchMemory } from './memory/search-memory.ts'
import { policyOf } from './policy.ts'
import type { SearchContext } from './search.ts'
import { findCandidates } from './sql/find-candidates.ts'
import { findTextConfigs } from './sql/word-forms.ts'
import { languagesOf } from './words.ts'

/**
 * The cosine of the nearest publishable excerpt to each query; null when there is none, the query cannot be embedded now, or
 * the time was used up by those before it.
 */
export type FindBestCosines = (
  context: Pick<SearchContext, 'project' | 'env'>,
  queries: readonly string[],
) => Promise<(number | null)[]>

const NO_THRESHOLDS = { floor: -1, wordTier: -1 }
const BEST = { among: 'nearest', limit: 1 } as const
/** The database compares a query with every excerpt, and a request, which may have fifty of them, has twenty seconds. */
const MOST_MS = 5_000

export function createFindBestCosines(
  deps: ModelDeps & { memory?: SearchMemory | undefined },
  mostMs = MOST_MS,
): FindBestCosines {
  return async function findBestCosines({ project, env }, queries) {
    if (queries.length === 0) return []
    const scope: Scope = { projectId: project.id, env, modelId: deps.modelId }
    const policy = policyOf(project, { metadata: [] })
    const languages = languagesOf(await findTextConfigs(deps.sql, scope))
    const vectors = await deps.embedder.embed(queries, 'query', undefined, languages).catch(() => [])
    const revision = (await environmentRevision(deps.sql, scope)) ?? '0'
    const end = performance.now() + mostMs
    const found: (number | null)[] = []
    for (const vector of vectors) {
      if (performance.now() > end) break
      const query = { vector, forms: [], policy, thresholds: NO_THRESHOLDS, depth: BEST }
      const { passing } =
        (await deps.memory?.find(scope, revision, query)) ?? (await findCandidates(deps.sql, scope, query))
      found.push(passing[0]?.cosine ?? null)
    }
    return queries.map((_, i) => found[i] ?? null)
  }
}
