import { PAGE_HEADER } from '../../../src/contract/console-page.ts'
import type { AppDeps } from '../../app-deps.ts'
import { type ConsolePage, readConsolePage } from '../../console/page.ts'
import type { SignIn } from '../../console/sign-in.ts'
import type { Route } from '../../http/route.ts'
import type { UploadQueues } from '../imports/upload-queue.ts'
import { consoleHealthRoute } from './health.ts'
import { consoleImportRoutes } from './imports.ts'
import { consoleInsightsRoute } from './insights.ts'
import { consolePageRoutes } from './page.ts'
import { consoleReviewRoutes } from './reviews.ts'
import { consoleSearchRoutes } from './search.ts'
import { consoleSessionRoutes } from './session.ts'
import { consoleSettingsRoutes } from './settings.ts'
import { consoleTagRoutes } from './tag.ts'

/** The console's page and the routes of its scripts: not a public interface, so none is in the API description. */
export function consoleRoutes(deps: AppDeps, signIn: SignIn, queues: UploadQueues): Route[] {
  const page = readConsolePage()
  const ofScripts = [
    ...consoleSessionRoutes(deps, signIn),
    consoleHealthRoute(deps),
    ...consoleSearchRoutes(deps),
    consoleInsightsRoute(deps),
    ...consoleSettingsRoutes(deps),
    ...consoleReviewRoutes(deps),
    ...consoleImportRoutes(deps, queues),
    ...consoleTagRoutes(deps),
  ]
  return [...consolePageRoutes(signIn, page), ...(page ? ofScripts.map((route) => namingPage(route, page)) : ofScripts)]
}

/** The route, whose answers name the script of the page that the server now has. */
function namingPage(route: Route, { script }: ConsolePage): Route {
  return {
    ...route,
    async handle(context) {
      const answer = await route.handle(context)
      return { ...answer, headers: { ...answer.headers, [PAGE_HEADER]: script.hash } }
    },
  }
}
