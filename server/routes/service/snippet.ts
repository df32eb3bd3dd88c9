import type { ServerRequest } from 'srvx'
import { ApiError } from '../../http/api-error.ts'
import { matchesEtag } from '../../http/content-negotiation.ts'
import { ANY_ORIGIN } from '../../http/cors.ts'
import { empty, text } from '../../http/response-rule.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { type Bundle, type Bundles, sendBundle } from '../../snippet/bundles.ts'

/** The content under this name never changes. */
const FOR_GOOD = 'public, max-age=31536000, immutable'
/** A new release reaches every page within minutes; a stale copy bridges the revalidation. */
const FOR_MINUTES = 'public, max-age=300, stale-while-revalidate=86400'

/** `GET /snippet.js`, the current file, and `GET /snippet.<hash>.js` for it and those of earlier releases. */
export function snippetRoutes(bundles: Bundles | undefined): Route[] {
  const current = defineRoute({
    method: 'GET',
    path: '/snippet.js',
    access: 'open',
    // WordPress and others append a version to the address of each script (`?ver=6.8`).
    query: 'ignored',
    responses: {
      200: text('text/javascript', 'The file.'),
      304: empty('The file is the one that the client has.'),
    },
    errors: ['not_found'],
    operationId: 'getSnippet',
    summary: 'The tag for web pages',
    description:
      'The current file. Under its content, `/snippet.<hash>.js`, it and those of earlier releases never change.',
    async handle({ request }) {
      if (bundles) return sendSnippet(request, bundles.current, FOR_MINUTES)
      throw new ApiError('not_found', 'The snippet is not built in this checkout. Run: npm run build')
    },
  })
  const released = (bundles?.all ?? []).map((bundle) =>
    defineRoute({
      method: 'GET',
      path: bundle.path,
      access: 'open',
      query: 'ignored',
      handle: async ({ request }) => sendSnippet(request, bundle, FOR_GOOD),
    }),
  )
  return [current, ...released]
}

function sendSnippet(request: ServerRequest, bundle: Bundle, cache: string) {
  const etag = `"${bundle.hash}"`
  const shared = {
    'cache-control': cache,
    etag,
    vary: 'accept-encoding',
    // `integrity` needs a CORS request.
    ...ANY_ORIGIN,
    // The hashed name of the same file, for those who pin it.
    'content-location': bundle.path.slice(1),
  }
  if (matchesEtag(request.headers.get('if-none-match'), etag)) return { status: 304 as const, headers: shared }
  return sendBundle(request, bundle, { ...shared, 'content-type': 'text/javascript; charset=utf-8' })
}
