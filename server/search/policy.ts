import { WORD_TIER_BELOW_FLOOR } from '../../src/contract/limits.ts'
import type { QueryFilters } from '../../src/contract/query.ts'
import type { Project } from '../sql/projects/projects.ts'

/** The project settings that decide which reviews may appear. */
export type PolicySettings = Pick<Project, 'similarityFloor' | 'minRating' | 'excerpts'>

/** Which excerpts a query may return: the project's policy, tightened by the request's filters. */
export interface Policy {
  /** Lowest rating of a rated review. An unrated review may appear unless it was classified negative. */
  minRating: number
  /** Leaves out excerpts that are negative by themselves, or not classified yet. */
  withoutComplaints: boolean
  sources: readonly string[] | undefined
  since: Date | undefined
  metadata: QueryFilters['metadata']
}

/** Minimum cosines of a match. */
export interface Thresholds {
  floor: number
  /** Minimum for an excerpt that contains at least half of the query's words. */
  wordTier: number
}

/** The project's policy combined with the request's filters; `min_rating` can only raise the project's. */
export function policyOf(settings: PolicySettings, filters: QueryFilters): Policy {
  return {
    minRating: Math.max(settings.minRating, filters.min_rating ?? 0),
    withoutComplaints: settings.excerpts === 'no_complaints',
    sources: filters.sources,
    since: filters.since,
    metadata: filters.metadata,
  }
}

/** The two thresholds that follow from a relevance floor. */
export function thresholdsOf(floor: number): Thresholds {
  // Rounded, because 0.68 - 0.13 is slightly more than 0.55 in binary.
  return { floor, wordTier: Math.round((floor - WORD_TIER_BELOW_FLOOR) * 1e9) / 1e9 }
}
