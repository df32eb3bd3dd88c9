import { CodedError } from '../../src/contract/code-of.ts'
import { REVIEWS_PER_PUSH } from '../../src/contract/limits.ts'
import type { Environment, ReviewInput } from '../../src/contract/review.ts'
import { DAY_MS } from '../../src/contract/timestamp.ts'
import { ANONYMOUS } from '../../src/importer/fields/author.ts'
import { STABLE_ID_START } from '../../src/importer/fields/external-id.ts'
import { ImporterError } from '../../src/importer/importer-error.ts'
import { keyOf } from '../../src/importer/rows/coverage.ts'
import { isRecognizable } from '../../src/importer/rows/recognizable.ts'
import type { ImportRow } from '../../src/importer/rows/row.ts'
import type { ImportTarget, StoredElsewhere } from '../../src/importer/rows/run.ts'
import { withDeadline } from '../db/deadline.ts'
import type { Pool } from '../deps.ts'
import type { Project } from '../sql/projects/projects.ts'
import {
  countLater,
  hideMissing,
  type ReviewOrigin,
  readEarlierTexts,
  readMetadataKeys,
  readShown,
  readStoredBetween,
  readStoredDays,
} from '../sql/reviews/earlier-reviews.ts'
import { storedElsewhere, storedSoFar } from '../sql/reviews/stored-elsewhere.ts'
import { compareReviews } from '../sql/reviews/write-reviews.ts'
import { type Allowance, accept, remainingCapacity } from './accept.ts'

/** The import's key was revoked, expired or deleted with its project while it ran. */
export class KeyGone extends CodedError<'key_gone'> {
  constructor() {
    super('key_gone', 'The key of the import is no longer good')
  }
}

/**
 * Whether a review can be recognised by its day or only by its exact time. "Great!" may be by two people, or in a shop by one
 * person about two products at once; on Google nobody writes two in a minute.
 */
function recognizableBy(review: ReviewInput): 'day' | 'instant' | undefined {
  const { source, author_name, occurred_at } = review
  if (isRecognizable(review)) return 'day'
  if (author_name === ANONYMOUS) return undefined
  return source === 'google' && occurred_at.getTime() % DAY_MS !== 0 ? 'instant' : undefined
}

/**
 * Whether no other review by its author can have its time, so that a stored one is an earlier version of it: on Google, with
 * a time to the second.
 */
function isAloneInSecond({ source, author_name, occurred_at }: ReviewInput): boolean {
  return source === 'google' && author_name !== ANONYMOUS && occurred_at.getUTCSeconds() !== 0
}

/** An import has no deadline as a whole, but each of its steps has one: a database that does not answer ends it. */
const STEP_MS = 60_000

/**
 * Where an import puts its rows: {@link accept}, like every push. Nudges the worker after each batch. Since an import may run
 * for minutes, its key is checked again before each batch: nothing is read or written for a revoked one.
 *
 * Each of its functions then throws {@link KeyGone}.
 */
export function importTarget(
  sql: Pool,
  project: Pick<Project, 'id' | 'plan'>,
  env: Environment,
  deps: {
    /** Whether the key or console session that began the import may still write. */
    isAllowed: () => Promise<boolean>
    worker: { nudge(): void }
    allowance: Allowance
    stepMs?: number
    /** Checked before each batch; throws when the disk is full. */
    requireSpace?: () => Promise<void>
    /** Called when a batch was stored whose indexing the operator's limits delay. */
    onDeferred?: () => void
  },
): ImportTarget {
  const step = <T>(work: () => Promise<T>) =>
    withDeadline(async () => {
      if (!(await deps.isAllowed())) throw new KeyGone()
      return work()
    }, deps.stepMs ?? STEP_MS)
  const scope = { projectId: project.id, env }
  return {
    async compare(rows) {
      const compared = rows.map(({ review, visibility, origin, isApproximate, replacedId = review.external_id }) => {
        return { ...review, external_id: replacedId, visibility, origin, isApproximate }
      })
      const outcomes = await step(() => compareReviews(sql, scope, compared))
      return outcomes.map((outcome, place) =>
        outcome === 'inserted' && rows[place]?.replaces !== undefined ? 'updated' : outcome,
      )
    },
    async storedElsewhere(rows, begun) {
      for (const { table } of rows)
        if (!begun.has(table)) begun.set(table, { ...(await step(() => storedSoFar(sql, scope))), found: new Set() })
      const sought = rows.flatMap((row) => {
        const { at, anyStored } = begun.get(row.table) ?? {}
        const by = recognizableBy(row.review)
        // A guessed day is no part of a generated id.
        const isSought = at && anyStored && (by !== undefined || row.isApproximate !== true)
        return isSought
          ? [{ row, review: { ...row.review, by, isAloneInSecond: isAloneInSecond(row.review), before: at } }]
          : []
      })
      if (sought.length === 0) return new Map()
      const reviews = sought.map(({ review }) => review)
      const stored = await step(() => storedElsewhere(sql, scope, reviews, STABLE_ID_START))
      const elsewhere = new Map<ImportRow, StoredElsewhere>()
      for (const [place, { row }] of sought.entries()) {
        const { found } = begun.get(row.table) ?? {}
        const review = stored.get(place)
        if (!found || !review) continue
        const { id, external_id, isRecognised, yieldsId } = review
        const isFirst = !found.has(id)
        found.add(id)
        // Rows that would share a generated id are different reviews if their vendor has an id for each.
        if (isFirst || isRecognised)
          elsewhere.set(row, { id, external_id, takesId: isFirst && yieldsId && row.isApproximate !== true })
      }
      return elsewhere
    },
    async *storedBetween(from, to, names) {
      let last: ReviewOrigin | undefined
      for (;;) {
        const { reviews, more } = await step(() => readStoredBetween(sql, scope, { from, to, names }, last))
        yield reviews
        last = reviews.at(-1)
        if (!more) return
      }
    },
    storedDays: (keys) => step(() => readStoredDays(sql, scope, keys)),
    textsOf: (ids) => step(() => readEarlierTexts(sql, scope, ids)),
    countLater: (than, origins) => step(() => countLater(sql, scope, than, origins)),
    async stillShown(rows) {
      const shown = await step(() =>
        readShown(
          sql,
          scope,
          rows.map(({ review }) => review),
        ),
      )
      const keys = new Set(shown.map(({ source, external_id }) => keyOf(source, external_id)))
      return rows.filter(({ review }) => keys.has(keyOf(review.source, review.external_id)))
    },
    metadataKeys: (rows) =>
      step(() =>
        readMetadataKeys(
          sql,
          scope,
          rows.map(({ review }) => review),
        ),
      ),
    async hide(ids) {
      for (let start = 0; start < ids.length; start += REVIEWS_PER_PUSH)
        await step(() => hideMissing(sql, scope, ids.slice(start, start + REVIEWS_PER_PUSH)))
    },
    remainingCapacity: () => step(() => remainingCapacity(sql, project, deps.allowance)),
    async push(rows) {
      const batch = rows.map(({ review, hidden, hiddenWords, visibility, origin, isApproximate, replaces }) => {
        return { ...review, hidden, hiddenWords, visibility, origin, isApproximate, replaces }
      })
      await deps.requireSpace?.()
      const accepted = await step(() => accept(sql, project, env, batch, deps.allowance))
      if ('limit' in accepted) {
        // Others have pushed since the import checked.
        const message = `The project's plan is full: ${accepted.limit.remaining} more fit. The rows before this batch are stored.`
        throw new ImporterError('review_limit_reached', message)
      }
      deps.worker.nudge()
      if (accepted.deferred) deps.onDeferred?.()
      return accepted.reviews.map((review) => review.outcome)
    },
  }
}
