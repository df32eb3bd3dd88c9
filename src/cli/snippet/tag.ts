import { createHash } from 'node:crypto'
import { Flags, type Interfaces } from '@oclif/core'
import type { GenericSchema } from 'valibot'
import { reservedHeight } from '../../../snippet/reserved-height.ts'
import type { TagAttributes } from '../../../snippet/tag-html.ts'
import { ConnectionFailed } from '../../client/errors.ts'
import type { Fetch } from '../../client/fetch.ts'
import { QUERY_LIMIT } from '../../contract/limits.ts'
import { languageTag } from '../../contract/text.ts'
import { dateOrDateTime } from '../../contract/timestamp.ts'
import { validate } from '../../contract/validate.ts'
import { CliError, usageError } from '../errors/cli-error.ts'
import { parseMetadata, queryFlags } from '../flags.ts'

/**
 * Fetches a server's snippet to compute the integrity of what visitors would get.
 *
 * @returns the integrity, and the file name with a hash whose content never changes
 * @throws {ConnectionFailed | CliError} when no server answers, or it has no snippet
 */
export async function fetchSnippetFile(fetch: Fetch, baseUrl: string) {
  const address = `${baseUrl}/snippet.js`
  const response = await fetch(new Request(address)).catch((error: unknown) => {
    throw new ConnectionFailed(baseUrl, { cause: error })
  })
  const hashedName = response.headers.get('content-location') ?? ''
  if (!response.ok || !/^snippet\.\w+\.js$/.test(hashedName)) {
    throw new CliError(`there is no snippet at ${address} (status ${response.status})`, {
      code: 'snippet_missing',
      hints: ['check the address of the server', 'in a checkout of the source, run: npm run build'],
    })
  }
  const content = new Uint8Array(await response.arrayBuffer())
  return { hashedName, integrity: `sha384-${createHash('sha384').update(content).digest('base64')}` }
}

/**
 * The attributes of the element, from the flags of `pullquote snippet`, which are checked now; the key is added later.
 *
 * @throws {CliError} usage
 */
export function tagAttributes(flags: AttributeFlags): (key: string) => TagAttributes {
  // Composed by the server on every page view, so that it stays true when the settings change.
  const note = flags.note === 'rating' ? 'auto' : flags.note
  const cards = flags.layout === 'single' ? 1 : (flags.limit ?? QUERY_LIMIT.default)
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
    ['data-since', checked('since', flags.since, dateOrDateTime)],
    ...Object.entries(parseMetadata(flags.meta) ?? {}).map(([name, value]): TagAttributes[number] => {
      // HTML lower-cases attribute names and ends them at a space.
      if (!/^[a-z0-9._-]+$/.test(name)) {
        throw usageError(
          `the metadata key "${name}" cannot be an attribute`,
          'use pullquote.render, see docs/snippet.md',
        )
      }
      return [`data-meta-${name}`, value]
    }),
    ['data-theme', flags.theme],
    ['data-lang', checked('lang', flags.lang?.replaceAll('_', '-'), languageTag)],
    ['data-heading', flags.heading],
    ['data-note', note],
    ['data-reserve', flags.reserve ?? 'auto'],
    ['data-lazy', flags.lazy || undefined],
    ['data-avatars', flags.avatars || undefined],
  ]
  return (key) => [['style', `display: block; min-height: ${height}`], ['data-key', key], ...attributes]
}

/** @returns the value as given. @throws {CliError} usage: on the page a wrong one shows nothing, or its dates in another language */
function checked(flag: string, value: string | undefined, schema: GenericSchema): string | undefined {
  const result = validate(schema, value ?? '')
  if (value === undefined || result.ok) return value
  throw usageError(`--${flag} ${result.details[0]?.message}`)
}

/** A CSS length; a bare number is pixels, as in `data-reserve`. @throws {CliError} usage, for what could end the style */
function lengthOf(reserve: string): string {
  if (/^\d+(\.\d+)?$/.test(reserve)) return `${reserve}px`
  // CSS would silently ignore anything else and reserve no height.
  if (/^\d*\.?\d+(?:[a-z]{1,5}|%)$/i.test(reserve) || /^(?:calc|min|max|clamp|var)\([\w\s.,()+*/%-]+\)$/i.test(reserve))
    return reserve
  throw usageError(`--reserve "${reserve}" is not a length`, 'give pixels (420) or a CSS length (22rem)')
}

/** The flags of `pullquote snippet` that become attributes of the element. */
export const attributeFlags = {
  query: Flags.string({ description: 'what the reviews should be about, instead of what the page says' }),
  limit: Flags.integer({ description: 'how many reviews', min: QUERY_LIMIT.min, max: QUERY_LIMIT.max, helpValue: '5' }),
  ...queryFlags('only reviews written on or after this day'),
  layout: Flags.option({ description: 'arrangement of the cards', options: ['grid', 'list', 'single'] as const })(),
  context: Flags.option({
    description: 'how much text to show around the excerpt',
    options: ['none', 'sentence'] as const,
  })(),
  theme: Flags.option({ description: 'colours', options: ['light', 'dark', 'auto'] as const })(),
  lang: Flags.string({ description: 'language of dates and words; default: the page’s', helpValue: 'TAG' }),
  heading: Flags.string({ description: 'heading above the reviews' }),
  note: Flags.string({
    description: 'line below the reviews; "auto" says which ratings the project’s settings show',
  }),
  reserve: Flags.string({
    description: 'height to reserve for the block; default: about the height of the cards',
    helpValue: '420',
  }),
  lazy: Flags.boolean({ description: 'load the reviews only when the visitor scrolls near the block', default: false }),
  avatars: Flags.boolean({ description: 'show pictures of the authors', default: false }),
}

export type AttributeFlags = Omit<Interfaces.InferredFlags<typeof attributeFlags>, 'json'>
