import type { AppDeps } from '../../app-deps.ts'
import type { Route } from '../../http/route.ts'
import { pushReviews } from './push-reviews.ts'
import { queryRoutes } from './query.ts'
import { reviewRoutes } from './reviews.ts'

/** The contract. */
export function v1Routes(deps: AppDeps): Route[] {
  return [...queryRoutes(deps), pushReviews(deps), ...reviewRoutes(deps)]
}
