import type { AppDeps } from '../../app-deps.ts'
import { readConsolePage } from '../../console/page.ts'
import type { Route } from '../../http/route.ts'
import { demoRoutes } from './demo.ts'
import { documentationRoutes } from './documentation.ts'
import { errorReference } from './error-reference.ts'
import { homePage } from './home.ts'

/** What people read in a browser. */
export function pageRoutes(deps: AppDeps): Route[] {
  const { demo, console } = deps
  return [
    homePage({ demo: demo?.access, console: readConsolePage() && console?.access }),
    errorReference,
    ...documentationRoutes(),
    ...(demo ? demoRoutes(deps, demo) : []),
  ]
}
