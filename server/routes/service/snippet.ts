import { ApiError, assertValid } from '../../http/api-error.ts'
import { matchesEtag, negotiateEncoding } from '../../http/content-negotiation.ts'
import { type Call, noParameters, type OpenRoute } from '../../http/request-pipeline.ts'
import type { RouteResult } from '../../http/respond.ts'
import type { Bundle, Bundles } from '../../snippet/bundles.ts'

/** The content of this name never changes. */
const FOR_GOOD = 'public, max-age=31536000, immutable'
/** A new release reaches every page within minutes; an old copy bridges the time of asking. */
const FOR_MINUTES = 'public, max-age=300, stale-while-revalidate=86400'

/** `GET /snippet.js`, the current file, and `GET /snippet.<hash>.js` for it and those of earlier releases. */
export function snippetRoutes(bundles: Bundles | undefined): OpenRoute[] {
  if (bundles === undefined) return [{ method: 'GET', path: '/snippet.js', access: 'open', handle: notBuilt }]
  const route = (path: string, bundle: Bundle, cache: string): OpenRoute => ({
    method: 'GET',
    path,
    access: 'open',
    handle: async (call) => answer(call, bundle, cache),
  })
  return [
    route('/snippet.js', bundles.current, FOR_MINUTES),
    ...bundles.all.map((bundle) => route(bundle.path, bundle, FOR_GOOD)),
  ]
}

function answer(call: Call, bundle: Bundle, cache: string): RouteResult {
  assertValid(noParameters(call))
  const { headers } = call.request
  const encoding = negotiateEncoding(headers.get('accept-encoding'))
  const etag = `"${bundle.hash}"`
  const shared = {
    'cache-control': cache,
    etag,
    vary: 'accept-encoding',
    // `integrity` needs a CORS request; the file is the same for everyone and holds no secret.
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    // The name with the hash, beside this one, for those who pin it.
    'content-location': bundle.path.slice(1),
  }
  if (matchesEtag(headers.get('if-none-match'), etag)) return { status: 304, headers: shared }
  return {
    status: 200,
    body: bundle.encoded(encoding),
    headers: {
      ...shared,
      'content-type': 'text/javascript; charset=utf-8',
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    },
  }
}

async function notBuilt(): Promise<never> {
  throw new ApiError('not_found', 'The snippet is not built in this checkout. Run: npm run build')
}
