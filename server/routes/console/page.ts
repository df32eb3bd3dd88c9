import { assetFileName, CONTENT_SECURITY_POLICY, type ConsolePage, renderConsolePage } from '../../console/page.ts'
import type { SignIn } from '../../console/sign-in.ts'
import { ApiError } from '../../http/api-error.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { type Bundle, sendBundle } from '../../snippet/bundles.ts'

/** `GET /console` and the files it loads. The document is the same for everybody and reveals nothing. */
export function consolePageRoutes({ requireAccess }: Pick<SignIn, 'requireAccess'>, page?: ConsolePage): Route[] {
  const file = (ending: 'js' | 'css', bundle: Bundle, type: string) =>
    defineRoute({
      method: 'GET',
      path: `/console/${assetFileName(ending, bundle)}`,
      access: 'open',
      guard: ({ request }) => requireAccess(request),
      handle: async ({ request }) => sendBundle(request, bundle, { ...FILE_HEADERS, 'content-type': type }),
    })
  const files = page && [
    file('js', page.script, 'text/javascript; charset=utf-8'),
    file('css', page.style, 'text/css; charset=utf-8'),
  ]
  return [
    defineRoute({
      method: 'GET',
      path: '/console',
      access: 'open',
      query: 'ignored',
      guard: ({ request }) => requireAccess(request),
      async handle() {
        if (!page) throw new ApiError('not_found', 'The console is not built in this checkout. Run: npm run build')
        return { status: 200, body: renderConsolePage(page), headers: PAGE_HEADERS }
      },
    }),
    ...(files ?? []),
  ]
}

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

const FILE_HEADERS = {
  'cache-control': 'private, max-age=31536000, immutable',
  'cross-origin-resource-policy': 'same-origin',
}
