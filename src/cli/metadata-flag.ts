import { usageError } from './failure.ts'

/** `--meta KEY=VALUE`, repeated, as one map; `undefined` for none. */
export function metadataOf(pairs: readonly string[]): Record<string, string> | undefined {
  if (pairs.length === 0) return undefined
  return Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf('=')
      if (equals < 1) throw usageError(`--meta ${pair} is not KEY=VALUE`, 'for example: --meta dish=sea-bass')
      return [pair.slice(0, equals), pair.slice(equals + 1)]
    }),
  )
}
