import { usageError } from './errors/cli-error.ts'

/** The shortest id prefix that commands accept. */
export const MIN_ID_LENGTH = 4

/** The items with this id or id prefix. */
export function matchingIds<T extends { id: string }>(items: readonly T[], given: string): T[] {
  const wanted = given.toLowerCase()
  return items.filter(({ id }) => id === wanted || (wanted.length >= MIN_ID_LENGTH && id.startsWith(wanted)))
}

/**
 * The item with this id or id prefix that is not revoked, since nothing can be done with one that is.
 *
 * @param kind their name for messages, such as `keys`
 * @returns undefined when there is none
 * @throws {CliError} usage, when there are several
 */
export function findUnrevoked<T extends { id: string; revoked_at: string | null }>(
  items: readonly T[],
  given: string,
  kind: string,
): T | undefined {
  const found = matchingIds(items, given).filter(({ revoked_at }) => revoked_at === null)
  if (found.length <= 1) return found[0]
  throw usageError(`several ${kind} begin with ${given}`, `give one of: ${found.map(({ id }) => id).join(', ')}`)
}
