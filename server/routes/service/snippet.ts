import type { ServerRequest } from 'srvx'
import { ApiError } from '../../http/api-error.ts'
import { matchesEtag, negotiateEncoding } from '../../http/content-negotiation.ts'
import { empty, text } from '../../http/response-rule.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import type { Bundle, Bundles } from '../../snippet/bundles.ts'

/** The content of this name never changes. */
const FOR_GOOD = 'public, max-age=31536000, immutable'
/** A new release reaches every page within minutes; an old copy bridges the time of asking. */
const FOR_MINUTES = 'public, max-age=300, stale-while-revalidate=86400'

/** `GET /snippet.js`, the current file, and `GET /snippet.<hash>.js` for it and those of earlier releases. */
export function snippetRoutes(bundles: Bundles | undefined): Route[] {
  const current = defineRoute({
    method: 'GET',
    path: '/snippet.js',
    access: 'open',
    responses: {
      200: text('text/javascript', 'The file.'),
      304: empty('The file is the one that the client has.'),
    },
    errors: ['not_found'],
    operationId: 'snippet',
    summary: 'The tag for web pages',
    description:
      'The current file. Under its content, `/snippet.<hash>.js`, it and those of earlier releases never change.',
    async handle({ request }) {
      if (bundles) return sendBundle(request, bundles.current, FOR_MINUTES)
      throw new ApiError('not_found', 'The snippet is not built in this checkout. Run: npm run build')
    },
  })
  const released = (bundles?.all ?? []).map((bundle) =>
    defineRoute({
      method: 'GET',
      path: bundle.path,
      access: 'open',
      handle: async ({ request }) => sendBundle(request, bundle, FOR_GOOD),
    }),
  )
  return [current, ...released]
}

function sendBundle({ headers }: ServerRequest, bundle: Bundle, cache: string) {
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
  if (matchesEtag(headers.get('if-none-match'), etag)) return { status: 304 as const, headers: shared }
  return {
    status: 200 as const,
    body: bundle.encoded(encoding),
    headers: {
      ...shared,
      'content-type': 'text/javascript; charset=utf-8',
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    },
  }
}
