import * as v from 'valibot'
import { ANY_ORIGIN } from '../../http/cors.ts'
import { json } from '../../http/response-rule.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { openApiDocument } from '../../openapi/document.ts'

/** Version of the API in its description, independent of the package's. */
const API_VERSION = '1.0.0'

/** `GET /openapi.json`: these routes and itself. */
export function openApiRoute({ docsUrl }: { docsUrl: string }, routes: readonly Route[]): Route {
  // As bytes shared by all responses: clients that request it many times without reading would otherwise take memory for
  // each.
  let document: Uint8Array | undefined
  const route: Route = defineRoute({
    method: 'GET',
    path: '/openapi.json',
    access: 'open',
    query: 'ignored',
    responses: { 200: json(v.looseObject({}), 'OpenAPI 3.1.') },
    operationId: 'getDescription',
    summary: 'This description',
    description: 'For any origin, so that tools in a browser can read it.',
    async handle() {
      document ??= Buffer.from(
        JSON.stringify(openApiDocument([...routes, route], docsUrl.replace(/\/docs$/, ''), API_VERSION)),
      )
      return { status: 200, body: document, headers: ANY_ORIGIN }
    },
  })
  return route
}
