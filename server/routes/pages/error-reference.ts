import { ERROR_STATUS, type ErrorCode } from '../../../src/contract/errors.ts'
import { text } from '../../http/response-rule.ts'
import { defineRoute } from '../../http/route.ts'
import { documentationPage } from './documentation.ts'

interface Explanation {
  when: string
  todo: string
}

const EXPLANATIONS: Record<ErrorCode, Explanation> = {
  unauthorized: {
    when: 'No usable key came with the request: none at all, a header other than <code>Authorization: Bearer &lt;key&gt;</code>, something that is not shaped like a key, or a key that is unknown, revoked or expired. A secret key in an address is refused too, wherever it appears.',
    todo: 'Send the key in the <code>Authorization</code> header. Only <code>GET /v1/query</code> takes one as <code>?key=</code>, and only a publishable one. A key that ever appeared in an address should be revoked and replaced.',
  },
  forbidden: {
    when: 'The key is valid but may not do this: a publishable key on a route that needs a secret one, or a publishable key from a page whose origin the project does not list, or with no <code>Origin</code> at all.',
    todo: 'Manage reviews with a secret key, from a server. For a web page, have the operator add its origin to the project: scheme, host and port exactly as the browser sends them.',
  },
  not_found: {
    when: 'There is no such route, or no review with this id in the project and environment of the key. A live key sees no test rows, and vice versa.',
    todo: 'Check the address and the method: paths have no trailing slash. If it was an id, check that the key belongs to the environment that the review was pushed to.',
  },
  payload_too_large: {
    when: 'The body is larger than the route accepts: 1 MiB for pushed reviews, 64 KiB for a change of one review, 16 KiB for a query.',
    todo: 'Push fewer reviews at a time. A batch may have up to 100, and fewer when their texts are long.',
  },
  unsupported_media_type: {
    when: 'There is a body, and its <code>Content-Type</code> is missing or is not <code>application/json</code>.',
    todo: 'Send <code>Content-Type: application/json</code>. A charset may follow; the body is read as UTF-8 in any case.',
  },
  validation_failed: {
    when: 'Something in the body or the query string has the wrong form: a field that is missing, unknown, of another type or out of its range, a parameter given twice, JSON that does not parse, a cursor that belongs to another list.',
    todo: '<code>details</code> names every finding by its path, such as <code>0.rating</code> for the first review of a batch. <code>(body)</code> is the body as a whole. Nothing was stored.',
  },
  review_limit_reached: {
    when: 'With this batch the project would hold more reviews than its plan has room for, both environments counted.',
    todo: 'The message says how many still fit. Updates of stored reviews need no room. Delete reviews, wipe the test environment, or have the operator change the plan. Nothing of the batch was stored.',
  },
  rate_limited: {
    when: 'The key sent more requests within 60 seconds than its plan allows.',
    todo: 'Wait for as many seconds as <code>Retry-After</code> says. <code>RateLimit-Limit</code> gives the number allowed.',
  },
  query_quota_exceeded: {
    when: 'The project has used up the uncached queries of this calendar month (UTC), and this answer is not in the cache.',
    todo: 'Answers in the cache are still served. The count starts again after the seconds in <code>Retry-After</code>; a paid plan has more.',
  },
  internal: {
    when: 'The server failed in a way that it never should.',
    todo: 'Try again. If it keeps happening, give the operator the request id from the message: the server’s log has the cause under it.',
  },
  embedding_unavailable: {
    when: 'The search text could not be turned into a vector, because the embedding service did not answer, or the reviews are indexed for another model than this server’s. Queries without <code>q</code> still work.',
    todo: 'Try again shortly. Operators: the log and <code>pullquote doctor</code> say what the service answered.',
  },
  service_unavailable: {
    when: 'The database could not be reached or did not answer in time, or a daily allowance of the whole installation is used up.',
    todo: 'Nothing was written, unless the message says that a part was: send the same request again after the seconds in <code>Retry-After</code>.',
  },
}

/** `GET /docs/errors`: the target of every `doc_url`, with an anchor for each code. */
export const errorReference = defineRoute({
  method: 'GET',
  path: '/docs/errors',
  access: 'open',
  query: 'ignored',
  responses: { 200: text('text/html', 'The page that `doc_url` leads to.') },
  operationId: 'getErrorReference',
  summary: 'Every error code, when it comes and what to do',
  description: 'A page with an anchor for each code, where `doc_url` of an error leads.',
  handle: async () => documentationPage({ title: 'Errors of the Pullquote API', main: errorList(), root: '../' }),
})

function errorList(): string {
  const codes = Object.keys(ERROR_STATUS) as ErrorCode[]
  const links = codes.map((code) => `<li><a href="#${code}"><code>${code}</code></a></li>`).join('\n')
  return `<h1>Errors of the Pullquote API</h1>
<p>Every error is one JSON object: <code>{"error": {"code", "message", "doc_url", "request_id", "details"}}</code>.
Decide by <code>code</code>, which stays the same between releases; <code>message</code> is for people and may change.
<code>request_id</code> equals the header <code>x-request-id</code> and identifies the request in the server’s log.
<code>details</code> comes with <code>validation_failed</code> only.</p>
<nav aria-label="Codes"><ul>
${links}
</ul></nav>
${codes.map(section).join('\n')}`
}

function section(code: ErrorCode): string {
  const { when, todo } = EXPLANATIONS[code]
  return `<section id="${code}">
<h2><a class="here" href="#${code}">${code}</a> <span>${ERROR_STATUS[code]}</span></h2>
<p>${when}</p>
<p><strong>What to do.</strong> ${todo}</p>
</section>`
}
