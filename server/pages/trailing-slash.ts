import type { RequestContext } from '../http/request-context.ts'
import { requestTarget } from '../http/request-target.ts'
import type { RouteResult } from '../http/response-rule.ts'
import type { Route } from '../http/route.ts'

/** What people open and type by hand. Addresses for programs are exact. */
const OF_PEOPLE = /^\/(?:docs|demo|console)(?:\/[a-z-]+)*$/

/**
 * Redirects the address of a page with a trailing slash to the page.
 * @returns a function that returns undefined for any other request
 */
export function trailingSlashes(routes: readonly Route[]): (context: RequestContext) => RouteResult | undefined {
  const isPage = ({ method, access, path }: Route) => method === 'GET' && access === 'open' && OF_PEOPLE.test(path)
  const pages = new Set(routes.filter(isPage).map(({ path }) => `${path}/`))
  return ({ request, path }) => {
    if (!pages.has(path) || !/^(?:GET|HEAD)$/.test(request.method)) return undefined
    // Relative, for proxies with a path prefix.
    const location = `../${path.split('/').at(-2)}${requestTarget(request).search}`
    return { status: 308, headers: { location } }
  }
}
