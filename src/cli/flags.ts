import { Args, Flags, type Interfaces } from '@oclif/core'
import type { QueryOptions } from '../client/client.ts'
import { RATING } from '../contract/limits.ts'
import { SOURCES } from '../contract/sources.ts'
import { type FieldLabels, flagLabels, usageError } from './errors/cli-error.ts'

/** Flags that mean the same in every command. They override environment variables and the profile (see settings.ts). */

export const serverFlags = {
  url: Flags.string({
    description: 'address of the server; default: the one on this machine [env: PULLQUOTE_URL]',
    helpGroup: 'CONNECTION',
    helpValue: 'URL',
  }),
  profile: Flags.string({
    description: 'profile stored by `pullquote login` [env: PULLQUOTE_PROFILE]',
    helpGroup: 'CONNECTION',
    helpValue: 'NAME',
  }),
}

export const clientFlags = {
  ...serverFlags,
  key: Flags.string({
    description: 'API key; visible to others on this machine, so prefer --key-stdin [env: PULLQUOTE_KEY]',
    helpGroup: 'CONNECTION',
    helpValue: 'KEY',
    exclusive: ['key-stdin'],
  }),
  'key-stdin': Flags.boolean({ description: 'read the API key from standard input', helpGroup: 'CONNECTION' }),
  project: Flags.string({
    description: 'project; default: the one of the key, or the only one [env: PULLQUOTE_PROJECT]',
    helpGroup: 'CONNECTION',
    helpValue: 'NAME',
  }),
  env: Flags.string({
    description: 'environment; default: the one of the key, or live [env: PULLQUOTE_ENV]',
    helpGroup: 'CONNECTION',
    options: ['live', 'test'],
  }),
}

/** A required argument. Without `ignoreStdin` oclif would wait for a missing one on standard input. */
export const requiredArg = (description: string) => Args.string({ ignoreStdin: true, description, required: true })

export const yesFlag = { yes: Flags.boolean({ char: 'y', description: 'do not ask for confirmation', default: false }) }

export const projectFlag = (description = 'project; default: the only one [env: PULLQUOTE_PROJECT]') =>
  Flags.string({ description, helpValue: 'NAME' })

export const sourceFlag = (description: string) => Flags.option({ description, options: SOURCES })()

/**
 * A flag that may be repeated and takes one value each time. Without `multipleNonGreedy` it would take every word that
 * follows, including the command's own arguments.
 *
 * @param options.delimiter splits one value into several
 */
export function repeatedFlag(options: {
  description: string
  helpValue?: string
  delimiter?: ','
  options?: string[]
}) {
  const { description, delimiter } = options
  return Flags.string({
    ...options,
    description:
      delimiter === undefined ? description : `${description}; separate several with commas, or repeat the flag`,
    multiple: true,
    multipleNonGreedy: true,
  })
}

/** A comma starts another pair only when a key and `=` follow: values are free text and may contain commas. */
const NEXT_PAIR = /(?<!\\),(?=[\w.-]{1,64}=)/

/**
 * Parses `--meta KEY=VALUE`, repeated or separated by commas.
 *
 * @param flag its name
 * @returns undefined when none is given
 * @throws {CliError} usage, for a value that is not a pair and for a key with two values
 */
export function parseMetadata(given: readonly string[] = [], flag = '--meta'): Record<string, string> | undefined {
  if (given.length === 0) return undefined
  const metadata = new Map<string, string>()
  for (const pair of given.flatMap((value) => value.split(NEXT_PAIR))) {
    const equals = pair.indexOf('=')
    if (equals < 1) throw usageError(`${flag} ${pair} is not KEY=VALUE`, `for example: ${flag} dish=sea-bass`)
    const key = pair.slice(0, equals)
    const value = pair.slice(equals + 1).replaceAll('\\,', ',')
    const before = metadata.get(key)
    if (before !== undefined && before !== value) {
      throw usageError(`${flag} names ${key} twice, with ${before} and with ${value}`, 'a review has one value of each')
    }
    metadata.set(key, value)
  }
  return Object.fromEntries(metadata)
}

/** The query flags of `query` and `snippet`. @param since the description of --since */
export const queryFlags = (since: string) => ({
  mode: Flags.option({ description: 'return excerpts or whole reviews', options: ['excerpts', 'reviews'] as const })(),
  fallback: Flags.option({ description: 'what to show if nothing fits', options: ['none', 'recent'] as const })(),
  'min-rating': Flags.integer({ description: 'only reviews with at least this many stars', ...RATING }),
  source: repeatedFlag({ description: 'only reviews from this source', delimiter: ',', options: [...SOURCES] }),
  since: Flags.string({ description: since, helpValue: '2026-01-31' }),
  meta: repeatedFlag({
    description:
      'only reviews with this metadata; separate several with commas, or repeat the flag (within a value, write a comma before NAME= as \\,)',
    helpValue: 'KEY=VALUE',
  }),
})

/** Labels of the query fields. */
export const QUERY_FIELD_LABELS: FieldLabels = {
  ...flagLabels(
    'limit',
    'mode',
    'include',
    'fallback',
    'review',
    'filters.min_rating',
    'filters.source',
    'filters.since',
  ),
  'filters.metadata': '--meta',
  q: 'the text',
}

/** The query that {@link queryFlags} describe. @throws {CliError} usage, from {@link parseMetadata} */
export function queryOptions(
  flags: Partial<Interfaces.InferredFlags<ReturnType<typeof queryFlags>>> & { limit?: number | undefined },
): QueryOptions {
  const { limit, mode, fallback, source, since } = flags
  const filters = { min_rating: flags['min-rating'], source, since, metadata: parseMetadata(flags.meta) }
  return { limit, mode, fallback, filters }
}

/** Flags for which an empty value means none. */
const MAY_BE_EMPTY = new Set(['heading', 'note', 'query', 'metadata'])

/**
 * Finds an argument or a flag that was given as "".
 *
 * @param validatedByServer labels of the arguments that the server validates: `the text`, `the name`
 * @returns `FOLDER` or `--dir`; undefined when nothing is empty
 */
export function findEmptyValue(
  parsed: Pick<Interfaces.ParserOutput, 'argv' | 'args' | 'flags'>,
  validatedByServer: readonly string[],
): string | undefined {
  const [first] = Object.keys(parsed.args)
  for (const [name, value] of Object.entries(parsed.args)) {
    if (value === '' && !validatedByServer.includes(`the ${name}`)) return name.toUpperCase()
  }
  // A command that takes several files has one named argument; the others are only in `argv`.
  if (first !== undefined && !validatedByServer.includes(`the ${first}`) && parsed.argv.includes(''))
    return first.toUpperCase()
  for (const [name, value] of Object.entries(parsed.flags)) {
    const isEmpty = value === '' || (Array.isArray(value) && value.includes(''))
    if (isEmpty && !MAY_BE_EMPTY.has(name)) return `--${name}`
  }
  return undefined
}

/**
 * Finds a boolean flag that was given a value, such as `--force=false`: oclif would set the flag and treat the value as
 * an argument.
 *
 * @returns the flag with its dashes; undefined when there is none
 */
export function findBooleanWithValue(
  argv: readonly string[],
  flags: Readonly<Record<string, { type: string }>>,
): string | undefined {
  const end = argv.indexOf('--')
  const names = (end === -1 ? argv : argv.slice(0, end)).map((word) => /^--((?:no-)?([^=]+))=/.exec(word))
  const isBoolean = (name = '') => name === 'json' || flags[name]?.type === 'boolean'
  return names.find((found) => found && (isBoolean(found[1]) || isBoolean(found[2])))?.[0].slice(0, -1)
}
