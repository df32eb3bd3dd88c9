import type { ErrorDetail } from '../../src/contract/errors.ts'

export interface QueryString {
  parameters: URLSearchParams
  /** Names of parameters whose bytes are no UTF-8: U+FFFD stands in their values. */
  malformed: string[]
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenient = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Reads `?name=value&…` (application/x-www-form-urlencoded). `URLSearchParams` alone would replace bytes that are no
 * UTF-8 silently; here they are reported. A `%` without two hexadecimal digits stands for itself, as in the URL
 * standard. A request line holds ASCII only (the parser refuses others), and a URL object escapes what is beyond.
 */
export function parseQueryString(search: string): QueryString {
  const parameters = new URLSearchParams()
  const malformed: string[] = []
  const text = search.startsWith('?') ? search.slice(1) : search
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decode(equals < 0 ? pair : pair.slice(0, equals))
    const value = decode(equals < 0 ? '' : pair.slice(equals + 1))
    if (!name.valid || !value.valid) malformed.push(name.text)
    parameters.append(name.text, value.text)
  }
  return { parameters, malformed: [...new Set(malformed)] }
}

const NEEDS_DECODING = /%/

function decode(encoded: string): { text: string; valid: boolean } {
  const spaced = encoded.replaceAll('+', ' ')
  if (!NEEDS_DECODING.test(spaced)) return { text: spaced, valid: true }
  const bytes: number[] = []
  for (let i = 0; i < spaced.length; i++) {
    const code = spaced.charCodeAt(i)
    const escaped = code === 0x25 ? /^[0-9a-fA-F]{2}/.exec(spaced.slice(i + 1, i + 3)) : null
    if (escaped) {
      bytes.push(Number.parseInt(escaped[0], 16))
      i += 2
    } else bytes.push(code & 0xff)
  }
  const data = Uint8Array.from(bytes)
  try {
    return { text: strict.decode(data), valid: true }
  } catch {
    return { text: lenient.decode(data), valid: false }
  }
}

/** Findings about a query string as such: bytes that are no UTF-8, and on a route without parameters any parameter. */
export function strayParameters(query: QueryString, known: (name: string) => boolean = () => false): ErrorDetail[] {
  const names = [...new Set(query.parameters.keys())].filter((name) => !query.malformed.includes(name) && !known(name))
  return [
    ...query.malformed.map((path) => ({ path, message: 'is not valid UTF-8' })),
    ...names.map((path) => ({ path, message: 'is not a known parameter' })),
  ]
}
