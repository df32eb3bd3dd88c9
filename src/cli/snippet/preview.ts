import { fitQuery } from '../../../snippet/derive-query.ts'
import type { Client, QueryOptions } from '../../client/client.ts'
import { ApiError } from '../../client/errors.ts'
import type { Project } from '../../contract/project.ts'
import type { QueryResponse, QueryResult } from '../../contract/query.ts'
import { shellQuote } from '../../contract/shell-quote.ts'
import { pageQueries } from '../../web-page/page-queries.ts'
import { toCliError } from '../errors/cli-error.ts'
import type { Terminal } from '../output/terminal.ts'
import { oneLine } from '../output/text.ts'
import { wrapHanging } from '../output/wrap.ts'
import { queryResults } from '../query/results.ts'
import { type FetchedPage, fetchPage, type PageDeps } from './page.ts'

/** What a page would show, or why that is unknown. */
export interface Preview {
  /** The page's URL as given; undefined for `--query` alone. */
  page?: string | undefined
  /** The snippet's query; empty for the newest reviews. */
  query?: string | undefined
  derived: boolean
  /** The query before this one, without the description, which nothing fitted. */
  inVain?: string | undefined
  origin?: string | undefined
  /** Undefined when the project's origins are unknown and the key was not tried. */
  originAllowed?: boolean | undefined
  answer?: QueryResponse | undefined
  problem?: string | undefined
}

export interface PreviewDeps extends PageDeps {
  client: Client
  /** Sends the page's origin, as a browser does: a publishable key is checked against it. */
  sendsOrigin: boolean
  /** The project's allowed origins, if known. */
  origins: readonly string[] | undefined
  options: QueryOptions
  query: string | undefined
}

/** Fetches a page, derives its query with the snippet's own code, and runs it. Problems are returned, not thrown. */
export async function previewPage(address: string, deps: PreviewDeps): Promise<Preview> {
  const about = { page: address, derived: deps.query === undefined }
  let page: FetchedPage
  try {
    page = await fetchPage(address, deps)
  } catch (error) {
    if (deps.signal.aborted) throw error
    return { ...about, problem: toCliError(error).message }
  }
  const [query, second] = deps.query === undefined ? pageQueries(page) : [fitQuery(deps.query)]
  const { origin } = page
  const preview = await withAnswer({ ...about, query, origin, originAllowed: deps.origins?.includes(origin) }, deps)
  const isInVain = preview.answer?.match === 'none' || preview.answer?.match === 'fallback'
  if (second === undefined || !isInVain) return preview
  return withAnswer({ ...about, query: second, inVain: query, origin, originAllowed: preview.originAllowed }, deps)
}

export async function previewQuery(query: string, deps: PreviewDeps): Promise<Preview> {
  const origin = deps.sendsOrigin ? deps.origins?.[0] : undefined
  return withAnswer({ query: fitQuery(query), derived: false, origin }, deps)
}

async function withAnswer(preview: Preview, deps: PreviewDeps): Promise<Preview> {
  const q = preview.query === '' ? undefined : preview.query
  const origin = deps.sendsOrigin ? preview.origin : undefined
  try {
    const answer = await deps.client.query({ ...deps.options, q }, { origin, signal: deps.signal })
    return {
      ...preview,
      answer: { ...answer, results: firstOfEach(answer.results) },
      originAllowed: origin === undefined ? preview.originAllowed : true,
    }
  } catch (error) {
    if (deps.signal.aborted || !(error instanceof ApiError)) throw error
    const isRefused = origin !== undefined && error.code === 'forbidden'
    return { ...preview, originAllowed: isRefused ? false : preview.originAllowed, problem: toCliError(error).message }
  }
}

/** Keeps the best excerpt of each review, as the snippet does. */
function firstOfEach(results: QueryResult[]): QueryResult[] {
  const seen = new Set<string>()
  return results.filter(({ review: { id } }) => !seen.has(id) && seen.add(id))
}

/** A preview for people: the page, its query, whether its origin is allowed, and the reviews that would appear. */
export function previewLines(preview: Preview, project: Project | undefined, terminal: Terminal): string {
  const { bold, dim, green, red } = terminal.style
  const { page, query, derived, inVain, origin, originAllowed, answer, problem } = preview
  const lines = page === undefined ? [] : [bold(page)]
  const say = (line: string) => lines.push(wrapHanging(line, terminal.columns))
  if (inVain !== undefined) {
    say(`${dim('derived query:')} ${oneLine(inVain)}`)
    say('Nothing fits, so the page would search a second time, with its description as well:')
  }
  if (query !== undefined)
    say(`${dim(derived ? 'derived query:' : 'query:')} ${oneLine(query) || 'none: the newest reviews'}`)
  if (origin !== undefined && originAllowed === true) say(`${dim('origin:')} ${origin} ${green('is allowed')}`)
  if (origin !== undefined && originAllowed === false) {
    say(`origin: ${origin} ${red('is not allowed')}: browsers would get the status 403 and show nothing.`)
    // Not wrapped, since the command is copied.
    const name = project && shellQuote(project.name)
    if (name) lines.push(`  Try: pullquote projects set ${name} --add-origin ${origin}`)
    else say('  Ask the operator to add it to the project.')
  }
  if (problem !== undefined && originAllowed !== false) say(`${red('problem:')} ${problem}`)
  if (answer === undefined) return lines.join('\n')
  if (answer.results.length === 0) say('Nothing fits: the tag would show nothing here.')
  else lines.push(queryResults({ answer, q: query, now: new Date(), floor: project?.similarity_floor }, terminal))
  return lines.join('\n')
}
