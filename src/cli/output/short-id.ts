import type { Terminal } from './terminal.ts'

/** So much of an id is shown on a terminal: enough to tell those of most projects apart, and commands take it. */
const SHORT = 8
/** So much must be given. */
export const SHORTEST_ID = 4

export function shortId(id: string): string {
  return id.slice(0, SHORT)
}

/** Short on a terminal, whole in a pipe. */
export function displayId(id: string, { interactive }: Pick<Terminal, 'interactive'>): string {
  return interactive ? shortId(id) : id
}

/** What has this id, or one that begins so. */
export function matchingIds<T extends { id: string }>(items: readonly T[], given: string): T[] {
  const wanted = given.toLowerCase()
  return items.filter(({ id }) => id === wanted || (wanted.length >= SHORTEST_ID && id.startsWith(wanted)))
}
