import { usageError } from '../errors/failure.ts'

/** Where the key of the tag comes from. */
export type KeySource = 'given' | 'new' | 'none' | 'ask'

/** A key stands in the list for good: it is made when that is asked for, never on the way. */
export function keySource(
  isGiven: boolean,
  flags: { 'new-key': boolean; 'no-key': boolean },
  json: boolean,
): KeySource {
  if (isGiven) return 'given'
  if (flags['no-key']) return 'none'
  if (flags['new-key']) return 'new'
  if (process.stdin.isTTY && process.stderr.isTTY && !json) return 'ask'
  throw usageError(
    'the tag needs a publishable key, and keys cannot be shown again',
    'give the one you have with --key',
    'make one with --new-key',
    'leave its place open with --no-key',
  )
}
