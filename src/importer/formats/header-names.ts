import { normalizeHeader } from '../read/headers.ts'

/** Parses a list such as `review text | comment`, on one or more lines, into normalized names. */
export function headerSet(names: string): ReadonlySet<string> {
  const compared = names.split(/[|\n]/).map(normalizeHeader)
  return new Set(compared.filter((name) => name !== ''))
}

/** Names of objects in which APIs wrap a review or its parts. */
const ENVELOPES = new Set(
  'attributes review reviews fields properties node data item record content moderation usercomment sys airbytedata'.split(
    ' ',
  ),
)
/** Names of the inner value, of its type in databases, and of the moments in Yelp's. */
const INNER = new Set(
  'value rendered raw label stringvalue integervalue doublevalue timestampvalue booleanvalue seconds utcdatetime localdatetimeforbusiness'.split(
    ' ',
  ),
)
/** Type names: MongoDB's `$oid`, `$date`, `$numberInt`; DynamoDB's `S` and `N`. */
const TYPE = /^(?:\$\w+|[NS])$/
/** Contentful's fields have a value for each language. */
const LOCALE = /^[a-z]{2}(?:-[A-Z]{2})?$/
/** Yandex's and PowerReviews'. Elsewhere an object "description" or "details" is the product's, and one "statistics" has averages. */
const OF_FEEDBACK =
  /^(?:description\.(?:dis)?advantages|description\.comment|statistics\.rating|details\.(?:comments|headline|nickname|created_date|locale)|metrics\.rating)$/
/** No API nests deeper; bounds the lookups for a header of nothing but wrappers. */
const MOST_WRAPPINGS = 5

/**
 * The names under which a header is looked up, fullest first: `attributes.body` also as `body`, `content.rendered` also
 * as `content`, and `Bewertung (1-5)` also as `Bewertung`.
 */
export function headerNames(header: string): string[] {
  const names = [normalizeHeader(header)]
  const add = (name: string) => {
    if (name !== '' && !names.includes(name)) names.push(name)
  }
  let parts = header.split('.')
  const isInner = (part = '') =>
    isOneOf(INNER, part, parts) ||
    (parts.length > 1 && TYPE.test(part)) ||
    (parts.length > 2 && parts[0] === 'fields' && LOCALE.test(part))
  for (let level = 0; level < MOST_WRAPPINGS && isInner(parts.at(-1)); level++) {
    parts = parts.slice(0, -1)
    add(normalizeHeader(parts.join('.')))
  }
  // `_source` is Elasticsearch's; normalized it would look like "source".
  const isOuter = (part = '') =>
    isOneOf(ENVELOPES, part, parts) || (parts.length > 1 && part === '_source') || OF_FEEDBACK.test(parts.join('.'))
  for (let level = 0; level < MOST_WRAPPINGS && isOuter(parts[0]); level++) {
    parts = parts.slice(1)
    add(normalizeHeader(parts.join('.')))
  }
  // Also of the full width that Chinese and Japanese use.
  add(normalizeHeader(stripSuffix(header.normalize('NFKC'))))
  return names
}

/** Whether a header matches one of these names. */
export function hasName(header: string, names: ReadonlySet<string>): boolean {
  return headerNames(header).some((name) => names.has(name))
}

function isOneOf(known: ReadonlySet<string>, part: string | undefined, parts: readonly string[]): boolean {
  return parts.length > 1 && part !== undefined && known.has(normalizeHeader(part))
}

/** Strips `(1-5)`, `[UTC]` or `*` from the end. Not a regular expression, which would start over at every bracket. */
function stripSuffix(header: string): string {
  const trimmed = header.trimEnd()
  const last = trimmed.at(-1) ?? ''
  const rest = trimmed.slice(0, -1)
  if ('*:'.includes(last)) return rest.trimEnd()
  if (!')]}'.includes(last)) return header
  const afterOthers = Math.max(rest.lastIndexOf(')'), rest.lastIndexOf(']'), rest.lastIndexOf('}')) + 1
  const opening = rest.slice(afterOthers).search(/[([{]/)
  return opening === -1 ? header : rest.slice(0, afterOthers + opening).trimEnd()
}
