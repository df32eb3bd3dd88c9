import { Flags } from '@oclif/core'
import { SOURCES } from '../../contract/review.ts'

/**
 * A flag that may be given several times and takes one value each time. Without `multipleNonGreedy` it would take every
 * word that follows it, the command's own text among them.
 */
export const repeatedFlag = (description: string, helpValue?: string) =>
  Flags.string({
    description,
    multiple: true,
    multipleNonGreedy: true,
    ...(helpValue === undefined ? {} : { helpValue }),
  })

/** `--source google,yelp`, or repeated. */
export const sourcesFlag = (description: string) =>
  Flags.string({
    description: `${description}; several with commas, or repeated`,
    multiple: true,
    multipleNonGreedy: true,
    delimiter: ',',
    options: [...SOURCES],
  })
