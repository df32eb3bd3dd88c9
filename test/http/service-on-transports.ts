import type { AppDeps } from '../../server/app-deps.ts'
import type { suite } from '../suite.ts'
import { openService, type TestService } from './service.ts'
import { openTransports, type Transports } from './transport.ts'

/**
 * A service over both transports for the tests of a suite: both objects are filled before the first test and closed after
 * the last.
 *
 * @param more changes what the application is given once the service is there
 */
export function serviceOnTransports(
  test: ReturnType<typeof suite>,
  overrides: Partial<AppDeps> = {},
  more: (deps: AppDeps) => AppDeps = (deps) => deps,
): { service: TestService; transports: Transports } {
  const service = {} as TestService
  const transports = {} as Transports
  test.before(async () => {
    Object.assign(service, await openService(overrides))
    Object.assign(transports, await openTransports(more(service.deps)))
  })
  test.after(async () => {
    for (const transport of Object.values(transports)) await transport.close()
    await service.close()
  })
  return { service, transports }
}
