import * as v from 'valibot'
import { LANGUAGE_LENGTH, URI_LENGTH } from './limits.ts'
import { parseUrl } from './parse-url.ts'

/** Whether PostgreSQL can store the string: no U+0000 and no lone surrogate. */
export function isStorable(value: string): boolean {
  return !value.includes('\u0000') && value.isWellFormed()
}

/** A string that the database can store and that is not empty. @param max its length in UTF-16 code units */
export function storableText(max: number) {
  return v.pipe(
    v.string(),
    v.metadata({ pattern: '^[^\\x00]*$' }),
    v.minLength(1, 'must have at least 1 character'),
    v.maxLength(max, `must have at most ${max} characters`),
    v.check(isStorable, 'must not contain U+0000 or half of a surrogate pair'),
  )
}

/** Like {@link storableText}, but trimmed before its length is checked. */
export function trimmedText(max: number) {
  return v.pipe(
    v.string(),
    // Before the trim, where a JSON Schema of the input ends: at least one non-space character.
    v.metadata({ pattern: '^[^\\x00]*[^\\s\\x00][^\\x00]*$', maxLength: max }),
    v.trim(),
    v.minLength(1, 'must not be empty'),
    v.maxLength(max, `must have at most ${max} characters`),
    v.check(isStorable, 'must not contain U+0000 or half of a surrogate pair'),
  )
}

/** What breaks a line, controls a terminal or turns the direction of what follows. */
const INVISIBLE = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** A name that can be shown in a list, and typed as it is shown. */
export function nameText(max: number) {
  return v.pipe(
    trimmedText(max),
    v.check((value) => !INVISIBLE.test(value), 'must be one line of visible characters'),
  )
}

const FORBIDDEN_IN_URI = /[\s<>"`\\^{|}\u0000-\u001f\u007f]/u

// Host names have at most 253 characters. The URL parser is quadratic in non-ASCII letters of hosts in these schemes:
// minutes for a megabyte, 12 ms for 2,000 characters, and a push has two hundred URLs.
const LONG_AUTHORITY = /^(?:https?|wss?|ftp|file):[\\/]*[^\\/?#]{400}/i

function isUri(value: string): boolean {
  return !FORBIDDEN_IN_URI.test(value) && !LONG_AUTHORITY.test(value) && parseUrl(value) !== undefined
}

/** An absolute URI. Non-ASCII letters are accepted because exports contain them; spaces and brackets are not. */
export const uri = v.pipe(
  v.string(),
  v.metadata({ format: 'uri', examples: ['https://example.com/review/1'] }),
  v.maxLength(URI_LENGTH, `must have at most ${URI_LENGTH} characters`),
  // Skipped when it is too long.
  v.check((value) => value.length > URI_LENGTH || isUri(value), 'must be a URI'),
  v.check(isStorable, 'must not contain U+0000 or half of a surrogate pair'),
)

/** A BCP 47 language tag by its syntax: alphanumeric subtags joined by hyphens. */
export const languageTag = v.pipe(
  v.string(),
  v.minLength(LANGUAGE_LENGTH.min, `must have at least ${LANGUAGE_LENGTH.min} characters`),
  v.maxLength(LANGUAGE_LENGTH.max, `must have at most ${LANGUAGE_LENGTH.max} characters`),
  v.regex(
    /^(?:[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*|[ixIX](?:-[A-Za-z0-9]{1,8})+)$/,
    'must be a BCP 47 language tag such as "en" or "pt-BR"',
  ),
)
