import { normalizeHeader } from '../read/headers.ts'

/** The names of a list such as `review text | comment`, on one line or several, as they are compared. */
export function headerSet(names: string): ReadonlySet<string> {
  const compared = names.split(/[|\n]/).map(normalizeHeader)
  return new Set(compared.filter((name) => name !== ''))
}

/** What APIs wrap a review in, or put around its parts. */
const ENVELOPES = new Set(
  'attributes review reviews fields properties node data item record content moderation usercomment'.split(' '),
)
/** What they call the part itself, and data bases the type of it. */
const INNER = new Set(
  'value rendered raw label stringvalue integervalue doublevalue timestampvalue booleanvalue seconds'.split(' '),
)
/** Names of types: MongoDB's `$oid`, `$date`, `$numberInt`, DynamoDB's `S` and `N`. */
const TYPE = /^(?:\$\w+|[NS])$/
/** No API wraps a part more often; a heading that is nothing but wrappings is looked up by so many of them. */
const MOST_WRAPPINGS = 5

/**
 * The names under which a heading is looked up, the fullest first: `attributes.body` is also `body`, `content.rendered`
 * also `content`, and `Bewertung (1-5)` also `Bewertung`.
 */
export function headerNames(header: string): string[] {
  const names = [normalizeHeader(header)]
  const add = (name: string) => {
    if (name !== '' && !names.includes(name)) names.push(name)
  }
  let parts = header.split('.')
  const isInner = (part = '') => isOneOf(INNER, part, parts) || (parts.length > 1 && TYPE.test(part))
  for (let level = 0; level < MOST_WRAPPINGS && isInner(parts.at(-1)); level++) {
    parts = parts.slice(0, -1)
    add(normalizeHeader(parts.join('.')))
  }
  // Elasticsearch's; the normal form of it is that of a "source".
  const isOuter = (part = '') => isOneOf(ENVELOPES, part, parts) || (parts.length > 1 && part === '_source')
  for (let level = 0; level < MOST_WRAPPINGS && isOuter(parts[0]); level++) {
    parts = parts.slice(1)
    add(normalizeHeader(parts.join('.')))
  }
  const plain = withoutAside(header)
  if (plain !== header) add(normalizeHeader(plain))
  return names
}

/** Whether a heading is looked up under one of these names. */
export function hasName(header: string, names: ReadonlySet<string>): boolean {
  return headerNames(header).some((name) => names.has(name))
}

function isOneOf(known: ReadonlySet<string>, part: string | undefined, parts: readonly string[]): boolean {
  return parts.length > 1 && part !== undefined && known.has(normalizeHeader(part))
}

/** Without the `(1-5)`, `[UTC]`, `*` behind what a form asks. No regular expression: it would begin anew at every bracket. */
function withoutAside(header: string): string {
  const trimmed = header.trimEnd()
  const last = trimmed.at(-1) ?? ''
  const rest = trimmed.slice(0, -1)
  if ('*:'.includes(last)) return rest.trimEnd()
  if (!')]}'.includes(last)) return header
  const afterOthers = Math.max(rest.lastIndexOf(')'), rest.lastIndexOf(']'), rest.lastIndexOf('}')) + 1
  const opening = rest.slice(afterOthers).search(/[([{]/)
  return opening === -1 ? header : rest.slice(0, afterOthers + opening).trimEnd()
}
