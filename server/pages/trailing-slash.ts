import type { RequestContext } from '../http/request-context.ts'
import { requestTarget } from '../http/request-target.ts'
import type { RouteResult } from '../http/response-rule.ts'
import type { Route } from '../http/route.ts'

/** What people open and type by hand. Addresses of programs are exact. */
const OF_PEOPLE = /^\/(?:docs|demo|console)(?:\/[a-z-]+)*$/

/**
 * Leads from the address of a page with a slash at its end to the page.
 *
 * @returns a look-up that answers `undefined` where there is no such page, as for every other request
 */
export function trailingSlashes(routes: readonly Route[]): (context: RequestContext) => RouteResult | undefined {
  const isPage = ({ method, access, path }: Route) => method === 'GET' && access === 'open' && OF_PEOPLE.test(path)
  const pages = new Set(routes.filter(isPage).map(({ path }) => `${path}/`))
  return ({ request, path }) => {
    if (!pages.has(path) || !/^(?:GET|HEAD)$/.test(request.method)) return undefined
    // Relative, for proxies with a path.
    const location = `../${path.split('/').at(-2)}${requestTarget(request).search}`
    return { status: 308, headers: { location } }
  }
}
