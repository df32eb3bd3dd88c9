import type { AppDeps } from '../../app-deps.ts'
import type { Route } from '../../http/route.ts'
import { readBundles } from '../../snippet/bundles.ts'
import { explainRoute } from './explain.ts'
import { healthz, readyz } from './health.ts'
import { metricsRoute } from './metrics.ts'
import { reviewIdsRoute } from './review-ids.ts'
import { snippetRoutes } from './snippet.ts'
import { snippetNoteRoute } from './snippet-note.ts'
import { whoami } from './whoami.ts'

/** This server's own: what the command line, monitors and the tag ask. */
export function serviceRoutes(deps: AppDeps): Route[] {
  const { sql, explain, metrics } = deps
  return [
    ...(explain ? [explainRoute({ sql, explain })] : []),
    reviewIdsRoute(deps),
    whoami,
    healthz,
    readyz(deps),
    ...(metrics ? [metricsRoute(metrics)] : []),
    ...snippetRoutes(deps.snippet ?? readBundles()),
    snippetNoteRoute(deps),
  ]
}
