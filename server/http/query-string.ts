import type { ErrorDetail } from '../../src/contract/errors.ts'
import { truncatePath } from '../../src/contract/validate.ts'

/** Three times what the largest query needs: every parameter, all its lists item by item and 32 metadata filters. */
export const MAX_PARAMETERS = 200

export interface QueryString {
  /** The first {@link MAX_PARAMETERS}, and every `key`, since authentication comes before all findings. */
  parameters: URLSearchParams
  /** Names of parameters with invalid UTF-8, whose values contain U+FFFD. */
  malformed: ReadonlySet<string>
  /** The raw rest after the parsed parameters; only a request that will be rejected has one. */
  rest: string
}

/**
 * Parses `?name=value&…` (application/x-www-form-urlencoded) in one pass. `URLSearchParams` alone would silently replace
 * invalid UTF-8; here it is reported. A `%` without two hexadecimal digits stands for itself, as in the URL standard. A
 * request line is ASCII (the parser rejects anything else), and a URL object escapes other characters.
 */
export function parseQueryString(search: string): QueryString {
  const parameters = new URLSearchParams()
  const malformed = new Set<string>()
  const text = search.startsWith('?') ? search.slice(1) : search
  const append = (pair: string) => {
    const equals = pair.indexOf('=')
    const name = decode(equals < 0 ? pair : pair.slice(0, equals))
    const value = decode(equals < 0 ? '' : pair.slice(equals + 1))
    if (!name.valid || !value.valid) malformed.add(name.text)
    parameters.append(name.text, value.text)
  }

  let start = 0
  for (let read = 0; start < text.length && read < MAX_PARAMETERS; ) {
    const next = text.indexOf('&', start)
    const end = next < 0 ? text.length : next
    if (end > start) {
      append(text.slice(start, end))
      read++
    }
    start = end + 1
  }
  const rest = text.slice(start).replace(/^&+/, '')
  if (rest !== '') keysIn(rest).forEach(append)
  return { parameters, malformed, rest }
}

/** Two are as wrong as a thousand. */
function keysIn(rest: string): string[] {
  return rest
    .split('&')
    .filter((pair) => pair.startsWith('key='))
    .slice(0, 2)
}

function decode(encoded: string): { text: string; valid: boolean } {
  const escaped = encoded.replaceAll('+', ' ').replace(/%(?![0-9a-f]{2})/gi, '%25')
  try {
    return { text: decodeURIComponent(escaped), valid: true }
  } catch {
    // The lenient reading, with U+FFFD for invalid UTF-8.
    return { text: new URLSearchParams(`_=${encoded}`).get('_') ?? '', valid: false }
  }
}

export interface ParameterRules {
  /** Whether the route has a parameter of this name; default none. */
  known?: (name: string) => boolean
  /** Whether the parameter may occur only once; default none. */
  once?: (name: string) => boolean
}

/** Findings about the query string itself, at most one per name, in order of the names. */
export function parameterFindings(query: QueryString, rules: ParameterRules = {}): ErrorDetail[] {
  const { known = () => false, once = () => false } = rules
  const findings: ErrorDetail[] = []
  for (const [name, count] of countsOf(query)) {
    const complain = (message: string) => findings.push({ path: truncatePath(name), message })
    if (query.malformed.has(name)) complain('is not valid UTF-8')
    else if (!known(name)) complain('is not a known parameter')
    else if (count > 1 && once(name)) complain('must be given once')
  }
  return findings
}

/** Parameters as an object, without repeated and invalid ones, which are findings. */
export function wellFormedParameters(query: QueryString): Record<string, string> {
  const counts = countsOf(query)
  return Object.fromEntries(
    [...query.parameters].filter(([name]) => counts.get(name) === 1 && !query.malformed.has(name)),
  )
}

function countsOf({ parameters }: QueryString): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of parameters.keys()) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}
