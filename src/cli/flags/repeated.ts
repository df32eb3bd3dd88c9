import { Flags } from '@oclif/core'

/**
 * A flag that may be given several times and takes one value each time. Without `multipleNonGreedy` it would take every
 * word that follows it, the command's own text among them.
 *
 * @param options.delimiter takes several values at once, apart by it
 */
export function repeatedFlag(options: {
  description: string
  helpValue?: string
  delimiter?: ','
  options?: string[]
  exclusive?: string[]
}) {
  const { description, delimiter } = options
  return Flags.string({
    ...options,
    description: delimiter === undefined ? description : `${description}; several with commas, or repeated`,
    multiple: true,
    multipleNonGreedy: true,
  })
}
