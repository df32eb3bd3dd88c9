import { Flags, type Interfaces } from '@oclif/core'
import { QUERY_LIMIT } from '../../contract/limits.ts'
import { queryFlags } from '../flags/query.ts'

/** The flags of `pullquote snippet` that become attributes of the element. */
export const attributeFlags = {
  query: Flags.string({ description: 'what the reviews should be about, instead of what the page says' }),
  limit: Flags.integer({
    description: 'how many reviews',
    min: QUERY_LIMIT.min,
    max: QUERY_LIMIT.max,
    helpValue: '5',
  }),
  ...queryFlags('written on or after this day'),
  layout: Flags.option({ description: 'cards', options: ['grid', 'list', 'single'] as const })(),
  context: Flags.option({ description: 'how much around the excerpt', options: ['none', 'sentence'] as const })(),
  theme: Flags.option({ description: 'colours', options: ['light', 'dark', 'auto'] as const })(),
  lang: Flags.string({ description: 'language of dates and words; default: the page’s', helpValue: 'TAG' }),
  heading: Flags.string({ description: 'heading above the reviews' }),
  note: Flags.string({
    description: 'line below the reviews; "auto" says which ratings are shown, by the project’s settings',
  }),
  reserve: Flags.string({
    description: 'height to keep free whatever comes; default: about what the cards take',
    helpValue: '420',
  }),
  lazy: Flags.boolean({ description: 'ask when the block comes near the window', default: false }),
  avatars: Flags.boolean({ description: 'show the authors’ pictures', default: false }),
}

export type AttributeFlags = Omit<Interfaces.InferredFlags<typeof attributeFlags>, 'json'>
