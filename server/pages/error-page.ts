import { ERROR_STATUS } from '../../src/contract/errors.ts'
import type { ApiError } from '../http/api-error.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { RouteResult } from '../http/response-rule.ts'
import { escapeHtml, htmlResult } from './html.ts'

/** Paths for programs, whatever their `Accept` header says. `/v1` answers by the contract. */
const OF_PROGRAMS = /^\/(?:v1|operator|imports|snippet|console\/api)(?:\/|$)/

/**
 * An error page for somebody who opened an address in a browser.
 * @returns undefined for every other request, which gets the envelope
 */
export function errorPage(error: ApiError, { request, path, requestId, logFields }: RequestContext) {
  const accepted = request.headers.get('accept') ?? ''
  const isOfBrowser = /^(?:GET|HEAD)$/.test(request.method) && /\btext\/html\b/i.test(accepted)
  if (!isOfBrowser || OF_PROGRAMS.test(path)) return undefined
  const status = ERROR_STATUS[error.code]
  const isUnknown = error.code === 'not_found' && logFields.route === undefined
  const root = '../'.repeat(path.split('/').length - 2) || './'
  const heading = status === 404 ? 'Page not found' : status < 500 ? 'Request refused' : 'Something went wrong'
  const text = isUnknown ? 'There is no page at this address.' : error.message
  const { body, headers } = htmlResult({
    title: `${heading} – Pullquote`,
    body: `<header><strong><a href="${root}">Pullquote</a></strong></header>
<main>
<h1>${heading}</h1>
<p>${escapeHtml(text)}</p>
<p><a href="${root}">Go to the start page</a> or the <a href="${root}docs">documentation</a>.</p>
<p><small>Request id: ${escapeHtml(requestId)}</small></p>
</main>`,
  })
  return { status, body, headers: { ...headers, vary: 'accept' } } satisfies RouteResult
}
