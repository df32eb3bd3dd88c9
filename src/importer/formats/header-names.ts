import { normaliseHeader } from '../read/headers.ts'

/** What APIs wrap a review in, or put around its parts. */
const ENVELOPES = new Set(
  'attributes review reviews fields properties node data item record content moderation usercomment'.split(' '),
)
/** What they call the part itself. */
const INNER = new Set(['value', 'rendered', 'raw', 'label'])
/** `(1-5)`, `[UTC]`, `*` behind what a form asks. */
const ASIDE = /\s*(?:[([{][^)\]}]*[)\]}]|\*|:)\s*$/

/**
 * The names under which a heading is looked up, the fullest first: `attributes.body` is also `body`, `content.rendered`
 * also `content`, and `Bewertung (1-5)` also `Bewertung`.
 */
export function headerNames(header: string): string[] {
  const names = [normaliseHeader(header)]
  const add = (name: string) => {
    if (name !== '' && !names.includes(name)) names.push(name)
  }
  let parts = header.split('.')
  while (parts.length > 1 && INNER.has(normaliseHeader(parts.at(-1) ?? ''))) {
    parts = parts.slice(0, -1)
    add(normaliseHeader(parts.join('.')))
  }
  while (parts.length > 1 && ENVELOPES.has(normaliseHeader(parts[0] ?? ''))) {
    parts = parts.slice(1)
    add(normaliseHeader(parts.join('.')))
  }
  const plain = header.replace(ASIDE, '')
  if (plain !== header) add(normaliseHeader(plain))
  return names
}
