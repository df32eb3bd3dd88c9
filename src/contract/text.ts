import * as v from 'valibot'
import { LANGUAGE_LENGTH, URI_LENGTH } from './limits.ts'

/** Whether PostgreSQL can store the string: no U+0000 and no lone surrogate. */
export function isStorable(value: string): boolean {
  return !value.includes('\u0000') && value.isWellFormed()
}

/** A string that the database can hold, with a length in UTF-16 code units. */
export function storableText(min: number, max: number) {
  return v.pipe(
    v.string(),
    v.metadata({ pattern: '^[^\\x00]*$' }),
    v.minLength(min, `must have at least ${min} ${min === 1 ? 'character' : 'characters'}`),
    v.maxLength(max, `must have at most ${max} characters`),
    v.check(isStorable, 'must not contain U+0000 or half of a surrogate pair'),
  )
}

/** Like {@link storableText}, trimmed before it is measured. */
export function trimmedText(min: number, max: number) {
  return v.pipe(
    v.string(),
    // Said before the trimming, where a JSON Schema of the input ends: some character that is no space.
    v.metadata({ pattern: '^[^\\x00]*[^\\s\\x00][^\\x00]*$', maxLength: max }),
    v.trim(),
    v.minLength(min, 'must not be empty'),
    v.maxLength(max, `must have at most ${max} characters`),
    v.check(isStorable, 'must not contain U+0000 or half of a surrogate pair'),
  )
}

const FORBIDDEN_IN_URI = /[\s<>"`\\^{|}\u0000-\u001f\u007f]/u

// A host name has 253 characters at most. The URL parser takes time by the square of its letters beyond ASCII, in the
// schemes whose host it looks at: minutes for a megabyte, 12 ms for 2,000, and a push has two hundred addresses.
const LONG_AUTHORITY = /^(?:https?|wss?|ftp|file):[\\/]*[^\\/?#]{400}/i

function isUri(value: string): boolean {
  return !FORBIDDEN_IN_URI.test(value) && !LONG_AUTHORITY.test(value) && isUrl(value)
}

/** In place of URL.canParse, which in Node 20 refuses "ü" once it has been called some thousand times. */
function isUrl(value: string): boolean {
  try {
    new URL(value)
    return true
  } catch {
    return false
  }
}

/** An absolute URI. Letters beyond ASCII are let through, since exports carry them; spaces and brackets are not. */
export const uri = v.pipe(
  v.string(),
  v.metadata({ format: 'uri', examples: ['https://example.com/review/1'] }),
  v.maxLength(URI_LENGTH, `must have at most ${URI_LENGTH} characters`),
  // Not looked at when it is too long.
  v.check((value) => value.length > URI_LENGTH || isUri(value), 'must be a URI'),
  v.check(isStorable, 'must not contain U+0000 or half of a surrogate pair'),
)

/** A BCP 47 language tag by its shape: subtags of letters and digits, joined by hyphens. */
export const languageTag = v.pipe(
  v.string(),
  v.minLength(LANGUAGE_LENGTH.min, `must have at least ${LANGUAGE_LENGTH.min} characters`),
  v.maxLength(LANGUAGE_LENGTH.max, `must have at most ${LANGUAGE_LENGTH.max} characters`),
  v.regex(
    /^(?:[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*|[ixIX](?:-[A-Za-z0-9]{1,8})+)$/,
    'must be a BCP 47 language tag such as "en" or "pt-BR"',
  ),
)
