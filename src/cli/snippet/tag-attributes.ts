import type { Project } from '../../client/operator.ts'
import { usageError } from '../failure.ts'
import { metadataOf } from '../metadata-flag.ts'
import type { TagAttributes } from './tag.ts'

/** The attributes of the tag, from the flags of `pullquote snippet`. @throws {CliError} usage */
export function tagAttributes(
  key: string,
  flags: {
    query?: string | undefined
    limit?: number | undefined
    mode?: string | undefined
    fallback?: string | undefined
    'min-rating'?: number | undefined
    source?: string[] | undefined
    since?: string | undefined
    meta?: string[] | undefined
    theme?: string | undefined
    lang?: string | undefined
    heading?: string | undefined
    note?: string | undefined
    reserve?: string | undefined
    lazy: boolean
    avatars: boolean
  },
  project: Project | undefined,
): TagAttributes {
  const lowest = Math.max(project?.min_rating ?? 4, flags['min-rating'] ?? 1)
  const ratings = lowest > 1 ? `Showing reviews of ${lowest} stars${lowest < 5 ? ' and more' : ''}` : undefined
  const note = flags.note === 'rating' ? ratings : flags.note
  return [
    ['data-key', key],
    ['data-query', flags.query],
    ['data-limit', flags.limit?.toString()],
    ['data-mode', flags.mode],
    ['data-fallback', flags.fallback],
    ['data-min-rating', flags['min-rating']?.toString()],
    ['data-source', flags.source?.join(',')],
    ['data-since', flags.since],
    ...Object.entries(metadataOf(flags.meta ?? []) ?? {}).map(([name, value]): TagAttributes[number] => {
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
    ['data-reserve', flags.reserve],
    ['data-lazy', flags.lazy || undefined],
    ['data-avatars', flags.avatars || undefined],
  ]
}
