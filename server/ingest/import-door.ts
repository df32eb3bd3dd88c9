import type { Environment } from '../../src/contract/review.ts'
import { ImporterError } from '../../src/importer/importer-error.ts'
import type { ImportDoor } from '../../src/importer/run.ts'
import type { Pool } from '../deps.ts'
import { compareReviews } from '../store/compare-reviews.ts'
import type { Project } from '../store/projects.ts'
import { type AcceptOptions, accept, lookupExisting } from './accept.ts'

/** Lets an import in by the one door, and nudges the worker after each batch. */
export function importDoor(
  sql: Pool,
  project: Pick<Project, 'id' | 'plan'>,
  env: Environment,
  deps: { worker: { nudge(): void }; allowance: AcceptOptions['allowance'] },
): ImportDoor {
  return {
    compare: (rows) =>
      compareReviews(
        sql,
        project.id,
        env,
        rows.map((row) => row.review),
      ),
    room: async () => (await lookupExisting(sql, project, env, [])).remaining,
    async push(rows) {
      const batch = rows.map(({ review, hidden }) => ({ ...review, hidden }))
      const accepted = await accept(sql, project, env, batch, { allowance: deps.allowance })
      if ('limit' in accepted) {
        // Others pushed since the import looked.
        throw new ImporterError(
          'review_limit_reached',
          `The project's plan is full: ${accepted.limit.remaining} more fit. The rows before this batch are stored.`,
        )
      }
      deps.worker.nudge()
      return accepted.reviews.map((review) => review.outcome)
    },
  }
}
