import type { AppDeps } from '../../app-deps.ts'
import type { Route } from '../../http/route.ts'
import { readBundles } from '../../snippet/bundles.ts'
import { explainRoute } from './explain.ts'
import { healthz, readyz } from './health.ts'
import { hiddenWordsRoute } from './hidden-words.ts'
import { metricsRoute } from './metrics.ts'
import { reviewIdsRoute } from './review-ids.ts'
import { snippetRoutes } from './snippet.ts'
import { snippetLabels } from './snippet-labels.ts'
import { snippetNoteRoute } from './snippet-note.ts'
import { whoami } from './whoami.ts'

/** Routes outside the contract, for the command line, monitors and the tag. */
export function serviceRoutes(deps: AppDeps): Route[] {
  return [
    explainRoute(deps),
    reviewIdsRoute(deps),
    hiddenWordsRoute(deps),
    whoami,
    healthz,
    readyz(deps),
    ...(deps.metrics ? [metricsRoute(deps.metrics)] : []),
    ...snippetRoutes(deps.snippet ?? readBundles()),
    snippetLabels,
    snippetNoteRoute(deps),
  ]
}
