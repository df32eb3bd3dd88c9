import { defined } from './defined.ts'
import type { ErrorDetail } from './errors.ts'
import { metadata } from './metadata.ts'
import { FLAT_METADATA, type QueryRequest, queryBody, queryParameters } from './query.ts'
import { truncatePath, type Validated, validate } from './validate.ts'

/** Validates the JSON body of `POST /v1/query`; `undefined` (an empty body) equals `{}`. */
export function parseQueryBody(body: unknown): Validated<QueryRequest> {
  const result = validate(queryBody, body === undefined ? {} : body)
  if (!result.ok) return result
  const { filters: given, ...value } = result.value
  return {
    ok: true,
    value: normalized({
      ...value,
      include_text: [value.include ?? []].flat().length > 0,
      min_rating: given?.min_rating,
      sources: given?.source === undefined ? undefined : [given.source].flat(),
      since: given?.since,
      metadata: [...Object.entries(given?.metadata ?? {}), ...Object.entries(given?.flatMetadata ?? {})],
    }),
  }
}

const ONCE = ['q', 'limit', 'mode', 'fallback', 'min_rating', 'since']

/**
 * Validates the query string of `GET /v1/query`, from which `key` (authentication) must have been removed. Findings
 * name parameters as they were written.
 */
export function parseQueryParameters(parameters: URLSearchParams): Validated<QueryRequest> {
  const details: ErrorDetail[] = []
  const plain: [string, unknown][] = []
  const meta: [string, string][] = []
  for (const name of new Set(parameters.keys())) {
    const values = parameters.getAll(name)
    const isMetadata = name.startsWith(FLAT_METADATA)
    if (values.length > 1 && (isMetadata || ONCE.includes(name))) {
      details.push({ path: truncatePath(name), message: 'must be given once' })
    } else if (isMetadata) meta.push([name.slice(FLAT_METADATA.length), values[0] ?? ''])
    else if (name === 'include' || name === 'source') plain.push([name, values.flatMap((value) => value.split(','))])
    else plain.push([name, values[0]])
  }
  const checked = validate(queryParameters, Object.fromEntries(plain))
  const checkedMeta = validate(metadata, Object.fromEntries(meta))
  if (!checked.ok) details.push(...checked.details)
  if (!checkedMeta.ok) details.push(...checkedMeta.details.map((d) => ({ ...d, path: metadataPath(d.path) })))
  if (!checked.ok || !checkedMeta.ok || details.length > 0) return { ok: false, details }
  const { value } = checked
  return {
    ok: true,
    value: normalized({
      ...value,
      include_text: value.include !== undefined,
      sources: value.source,
      metadata: Object.entries(checkedMeta.value),
    }),
  }
}

function metadataPath(path: string): string {
  return path === '(body)' ? 'metadata' : `${FLAT_METADATA}${path}`
}

interface ParsedQuery extends Pick<QueryRequest, 'limit' | 'mode' | 'fallback' | 'include_text'> {
  q?: string | undefined
  min_rating?: number | undefined
  sources?: string[] | undefined
  since?: Date | undefined
  metadata: [string, string][]
}

/** Drops no-ops and sorts what is unordered, so that equal requests share a cache entry. */
function normalized(parsed: ParsedQuery): QueryRequest {
  const byKey = [...new Map(parsed.metadata)].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const sources = [...new Set(parsed.sources ?? [])].sort()
  const { q, limit, mode, include_text, fallback, min_rating, since } = parsed
  return defined({
    q,
    limit,
    mode,
    include_text: include_text || mode === 'reviews',
    fallback,
    filters: defined({ min_rating, sources: sources.length > 0 ? sources : undefined, since, metadata: byKey }),
  })
}
