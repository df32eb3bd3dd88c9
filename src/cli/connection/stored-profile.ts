import { closest } from '../errors/closest.ts'
import { usageError } from '../errors/failure.ts'
import type { Profile, Profiles } from './profiles.ts'

/** The profile of that name, or an error that says what may have been meant. */
export function storedProfile(profiles: Profiles, name: string): Profile {
  const found = Object.hasOwn(profiles.profiles, name) ? profiles.profiles[name] : undefined
  if (found) return found
  const names = Object.keys(profiles.profiles)
  const near = closest(name, names)
  throw usageError(
    `there is no profile "${name}"`,
    near !== undefined
      ? `did you mean "${near}"?`
      : names.length > 0
        ? `there are: ${names.join(', ')}`
        : `make it with: pullquote login ${name}`,
  )
}
