import type { AppDeps } from '../../app-deps.ts'
import type { Route } from '../../http/route.ts'
import { operatorBackupRoute } from './backup.ts'
import { consoleLinkRoutes } from './console-links.ts'
import { operatorDoctorRoute } from './doctor.ts'
import { operatorInsightsRoute } from './insights.ts'
import { operatorKeyRoutes } from './keys.ts'
import { operatorProjectRoutes } from './projects.ts'
import { operatorSetAsideRoutes } from './set-aside.ts'

/** The operator's routes, with the operator's token: projects, keys and maintenance. */
export function operatorRoutes(deps: AppDeps): Route[] {
  return [
    ...operatorProjectRoutes(deps),
    ...operatorKeyRoutes(deps),
    ...consoleLinkRoutes(deps),
    operatorInsightsRoute(deps),
    ...operatorSetAsideRoutes(deps),
    operatorDoctorRoute(deps),
    operatorBackupRoute(deps),
  ]
}
