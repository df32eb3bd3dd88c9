/** The numbers of docs/security.md are those of the code. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { BODY_TIMEOUT_MS } from '../../server/http/body.ts'
import { bodyBudgets } from '../../server/http/byte-budget.ts'
import { MAX_CONNECTIONS, MAX_PIPELINED_REQUESTS } from '../../server/http/connections.ts'
import { TIMEOUTS } from '../../server/http/listen.ts'
import { MAX_HEADER_BYTES, MAX_HEADERS } from '../../server/http/malformed.ts'
import { MAX_PARAMETERS } from '../../server/http/query-string.ts'
import { QUERIES_A_DAY } from '../../server/sql/usage/query-insights.ts'
import {
  BODY_BYTES,
  IMPORT_FILE_BYTES,
  PLAN_LIMITS,
  QUERY_LENGTH,
  RATE_WINDOW_SECONDS,
  REVIEW_TEXT_LENGTH,
} from '../../src/contract/limits.ts'
import { suite } from '../suite.ts'

const test = suite('the threat model')
const page = readFileSync(join(import.meta.dirname, '../../docs/security.md'), 'utf8').replaceAll('\n', ' ')

const MIB = 1_048_576
const shown = (count: number) => count.toLocaleString('en')
const { free, paid } = PLAN_LIMITS

/** Hours in which one publishable key uses up the month's quota. */
function hours({ requestsPerWindow, uncachedQueriesPerMonth }: typeof free): number {
  const perHour = (requestsPerWindow.publishable * 3_600) / RATE_WINDOW_SECONDS
  return uncachedQueriesPerMonth / perHour
}

const SENTENCES = [
  `| ${shown(MAX_CONNECTIONS)} connections; ${MAX_HEADER_BYTES / 1024} KiB of address and headers, ${MAX_HEADERS} headers |`,
  `| ${TIMEOUTS.headers / 1000} s for the headers, ${BODY_TIMEOUT_MS / 1000} s for a body, ${TIMEOUTS.request / 1000} s for the whole`,
  `| ${TIMEOUTS.stalled / 1000} s in which a client takes nothing of its answer, ${MAX_PIPELINED_REQUESTS} requests of one connection`,
  `| ${bodyBudgets().unauthenticated.limit / MIB} MiB for all bodies whose key`,
  `${bodyBudgets().authenticated.limit / MIB} MiB for all that came with a good key`,
  `${BODY_BYTES.pushReviews / MIB} MiB push, ${BODY_BYTES.patchReview / 1024} KiB change, ${BODY_BYTES.query / 1024} KiB query, ${IMPORT_FILE_BYTES / MIB} MiB import`,
  `| ${MAX_PARAMETERS} parameters of an address, ${QUERY_LENGTH} characters of a query, ${shown(REVIEW_TEXT_LENGTH)} of a review`,
  `in ${RATE_WINDOW_SECONDS} s: ${free.requestsPerWindow.secret} secret, ${free.requestsPerWindow.publishable} publishable (paid: ${shown(paid.requestsPerWindow.secret)} and ${paid.requestsPerWindow.publishable})`,
  `in a month: ${shown(free.uncachedQueriesPerMonth)} (paid: ${shown(paid.uncachedQueriesPerMonth)})`,
  `reviews of a project: ${shown(free.reviewsPerProject)} (paid: ${shown(paid.reviewsPerProject)})`,
  `| ${shown(QUERIES_A_DAY)} different queries counted`,
  `at ${free.requestsPerWindow.publishable} uncached queries a minute the ${shown(free.uncachedQueriesPerMonth)} of the free plan last ${hours(free).toFixed(0)} hours, at ${paid.requestsPerWindow.publishable} the ${shown(paid.uncachedQueriesPerMonth)} of the paid plan ${Math.floor(hours(paid))} hours`,
]
for (const sentence of SENTENCES) {
  test(`says what the code does: ${sentence.slice(0, 60)}`, async () => {
    assert.ok(page.replace(/\s+/g, ' ').includes(sentence), `docs/security.md does not say: ${sentence}`)
  })
}

test.run()
