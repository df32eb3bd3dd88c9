import { usageError } from '../errors/failure.ts'
import { repeatedFlag } from './repeated.ts'

export const metadataFlag = repeatedFlag({
  description:
    'with this metadata; several with commas, or repeated (a comma before NAME= within a value is written \\,)',
  helpValue: 'KEY=VALUE',
})

/** A comma begins another pair only where a key and `=` follow: values are free text and may hold commas. */
const NEXT_PAIR = /(?<!\\),(?=[\w.-]{1,64}=)/

/** `--meta KEY=VALUE`, repeated or with commas, as one map; `undefined` for none. */
export function parseMetadata(given: readonly string[] = []): Record<string, string> | undefined {
  if (given.length === 0) return undefined
  const metadata = new Map<string, string>()
  for (const pair of given.flatMap((value) => value.split(NEXT_PAIR))) {
    const equals = pair.indexOf('=')
    if (equals < 1) throw usageError(`--meta ${pair} is not KEY=VALUE`, 'for example: --meta dish=sea-bass')
    const key = pair.slice(0, equals)
    const value = pair.slice(equals + 1).replaceAll('\\,', ',')
    const before = metadata.get(key)
    if (before !== undefined && before !== value) {
      throw usageError(`--meta names ${key} twice, with ${before} and with ${value}`, 'a review has one value of each')
    }
    metadata.set(key, value)
  }
  return Object.fromEntries(metadata)
}
