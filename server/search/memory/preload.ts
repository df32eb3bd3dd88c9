import type { Log, Pool } from '../../deps.ts'
import { describeError } from '../../describe-error.ts'
import { largestEnvironment } from '../../sql/excerpts/search-rows.ts'
import type { SearchMemory } from './search-memory.ts'

/**
 * Begins to load the environment with the most reviews when a server starts on the embedded database: there the first search
 * waits for its index, 17 s for 100,000 reviews, which is longer than a page waits for an answer. Never rejects.
 */
export async function preload(
  memory: Pick<SearchMemory, 'load'>,
  { sql, log, modelId }: { sql: Pool; log: Log; modelId: number },
): Promise<void> {
  try {
    const largest = await largestEnvironment(sql)
    if (largest) memory.load({ ...largest, modelId })
  } catch (error) {
    log.debug({ error: describeError(error) }, 'no index was loaded at the start; the first search loads it')
  }
}
