/** The queue of a pipeline, worked by hand and looked at. */
import { claimReviews } from '../../server/sql/queue/claim.ts'
import { queueCounts } from '../../server/sql/queue/counts.ts'
import { until } from '../waiting.ts'
import type { pipelineSuite } from './pipeline.ts'

export function queueOf(pipeline: ReturnType<typeof pipelineSuite>['pipeline']) {
  return {
    claim: (token: string, limit = 100) =>
      claimReviews(pipeline.sql, {
        token,
        projectId: pipeline.projectId,
        limit,
        leaseSeconds: 30,
        modelId: pipeline.modelId,
        newestFirst: false,
      }),
    async counts() {
      const { queued, set_aside: setAside } = await queueCounts(pipeline.sql)
      return { queued, setAside }
    },
    /** Lets the worker try what it may until nothing is queued. */
    async untilNothingIsQueued(worker: { nudge(): void }): Promise<void> {
      await until('nothing is queued', async () => {
        await pipeline.sql`update index_jobs set run_at = now() where lease_token is null and set_aside_at is null`
        worker.nudge()
        return (await queueCounts(pipeline.sql)).queued === 0
      })
    },
  }
}
