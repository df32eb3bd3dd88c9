import { reservedHeight } from '../../../snippet/reserved-height.ts'
import { QUERY_LIMIT } from '../../contract/limits.ts'
import { usageError } from '../errors/failure.ts'
import { parseMetadata } from '../flags/metadata.ts'
import type { AttributeFlags } from './flags.ts'
import type { TagAttributes } from './tag.ts'

/**
 * The attributes of the element, from the flags of `pullquote snippet`: these are checked now, the key comes later.
 *
 * @throws {CliError} usage
 */
export function tagAttributes(flags: AttributeFlags): (key: string) => TagAttributes {
  // Composed by the server for each page, so that it stays true when the settings change.
  const note = flags.note === 'rating' ? 'auto' : flags.note
  const cards = flags.layout === 'single' ? 1 : (flags.limit ?? QUERY_LIMIT.default)
  // Below the window there is nothing to keep: the reviews come before the reader does.
  const height = flags.reserve === undefined ? reservedHeight(cards) : lengthOf(flags.reserve)
  const attributes: TagAttributes = [
    ['data-query', flags.query],
    ['data-limit', flags.limit?.toString()],
    ['data-mode', flags.mode],
    ['data-layout', flags.layout],
    ['data-context', flags.context],
    ['data-fallback', flags.fallback],
    ['data-min-rating', flags['min-rating']?.toString()],
    ['data-source', flags.source?.join(',')],
    ['data-since', flags.since],
    ...Object.entries(parseMetadata(flags.meta) ?? {}).map(([name, value]): TagAttributes[number] => {
      // HTML reads attribute names in lower case and ends them at a space.
      if (!/^[a-z0-9._-]+$/.test(name)) {
        throw usageError(
          `the metadata key "${name}" cannot be an attribute`,
          'use pullquote.render, see docs/snippet.md',
        )
      }
      return [`data-meta-${name}`, value]
    }),
    ['data-theme', flags.theme],
    ['data-lang', flags.lang],
    ['data-heading', flags.heading],
    ['data-note', note],
    ['data-reserve', flags.reserve ?? 'auto'],
    ['data-lazy', flags.lazy || undefined],
    ['data-avatars', flags.avatars || undefined],
  ]
  return (key) => [['style', `display: block; min-height: ${height}`], ['data-key', key], ...attributes]
}

/** A number is pixels, as in `data-reserve`. @throws {CliError} usage, for what could end the style it stands in */
function lengthOf(reserve: string): string {
  if (/^\d+(\.\d+)?$/.test(reserve)) return `${reserve}px`
  // A length has a unit, or is a function of lengths; what CSS does not know would keep no height, without a word.
  if (/^\d*\.?\d+(?:[a-z]{1,5}|%)$/i.test(reserve) || /^(?:calc|min|max|clamp|var)\([\w\s.,()+*/%-]+\)$/i.test(reserve))
    return reserve
  throw usageError(`--reserve "${reserve}" is no length`, 'give pixels (420) or a CSS length (22rem)')
}
