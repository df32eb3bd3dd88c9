import type { PageText } from '../../../snippet/derive-query.ts'
import { parseUrl } from '../../contract/parse-url.ts'
import { decodePage, firstBytes, PAGE_HEADERS } from '../../web-page/page-bytes.ts'
import { readPage } from '../../web-page/page-text.ts'
import { CliError, usageError } from '../errors/cli-error.ts'

const TIMEOUT_MS = 15_000
const MOST_BYTES = 4 * 1024 * 1024

export interface FetchedPage extends PageText {
  /** After redirects. */
  url: string
  /** The origin of `url`, as a browser sends it. */
  origin: string
}

export interface PageDeps {
  fetch: typeof globalThis.fetch
  signal: AbortSignal
}

/**
 * Fetches a web page as a visitor's browser would and reads what a query is derived from. Scripts do not run, so
 * headings that they create are not seen.
 *
 * @throws {CliError} usage for an invalid URL; `page_unreadable`
 */
export async function fetchPage(address: string, { fetch, signal }: PageDeps): Promise<FetchedPage> {
  if (!/^https?:$/.test(parseUrl(address)?.protocol ?? '')) {
    throw usageError(`"${address}" is not the address of a page`, 'for example: --url https://www.example.com/rooms')
  }
  let response: Response
  try {
    response = await fetch(address, {
      headers: PAGE_HEADERS,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
  } catch (error) {
    if (signal.aborted) throw error
    throw unreadable(address, causeOf(error))
  }
  const type = response.headers.get('content-type') ?? ''
  if (!response.ok) throw unreadable(address, `it answered with status ${response.status}`)
  if (!/html/i.test(type))
    throw unreadable(address, `it is not an HTML page but ${type || 'something without a content type'}`)
  const html = decodePage(await firstBytes(response.body ?? [], MOST_BYTES), type)
  const url = response.url || address
  return { ...(await readPage(html, url)), url, origin: new URL(url).origin }
}

function unreadable(address: string, reason: string): CliError {
  return new CliError(`the page ${address} could not be read: ${reason}`, {
    code: 'page_unreadable',
    hints: ['check the address in a browser; for a page behind a login, try --query'],
  })
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `it did not answer within ${TIMEOUT_MS / 1000} s`
  return error.cause instanceof Error ? error.cause.message : error.message
}
