import { assetFileName, CONTENT_SECURITY_POLICY, readConsolePage, renderConsolePage } from '../../console/page.ts'
import type { SignIn } from '../../console/sign-in.ts'
import { ApiError, assertValid } from '../../http/api-error.ts'
import { negotiateEncoding } from '../../http/content-negotiation.ts'
import { type Call, noParameters, type OpenRoute } from '../../http/request-pipeline.ts'
import type { Bundle } from '../../snippet/bundles.ts'

/** `GET /console` and the files it loads. The document is the same for everybody and tells nothing. */
export function consolePageRoutes({ requireAccess }: Pick<SignIn, 'requireAccess'>): OpenRoute[] {
  const page = readConsolePage()
  const route = (path: string, handle: OpenRoute['handle']): OpenRoute => ({
    method: 'GET',
    path,
    access: 'open',
    async handle(call) {
      requireAccess(call.request)
      assertValid(noParameters(call))
      return handle(call)
    },
  })
  if (page === undefined) {
    return [
      route('/console', async () => {
        throw new ApiError('not_found', 'The console is not built in this checkout. Run: npm run build')
      }),
    ]
  }
  const { script, style } = page
  const file = (ending: 'js' | 'css', bundle: Bundle, type: string) =>
    route(`/console/${assetFileName(ending, bundle)}`, async (call) => sent(call, bundle, type))
  return [
    route('/console', async () => ({
      status: 200,
      body: renderConsolePage(page),
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': CONTENT_SECURITY_POLICY,
        'x-frame-options': 'DENY',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      },
    })),
    file('js', script, 'text/javascript; charset=utf-8'),
    file('css', style, 'text/css; charset=utf-8'),
  ]
}

function sent(call: Call, bundle: Bundle, type: string) {
  const encoding = negotiateEncoding(call.request.headers.get('accept-encoding'))
  return {
    status: 200,
    body: bundle.encoded(encoding),
    headers: {
      'content-type': type,
      'cache-control': 'private, max-age=31536000, immutable',
      vary: 'accept-encoding',
      'cross-origin-resource-policy': 'same-origin',
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    },
  }
}
