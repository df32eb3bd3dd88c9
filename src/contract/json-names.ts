/**
 * Finds names repeated within one object of a JSON text. `JSON.parse` silently keeps the last, so a client that sent
 * both would get an answer to half of its request.
 *
 * @param value the parsed text
 * @param names the number of names in the text, if known: the text is searched only when some were lost
 * @returns their dotted paths as in findings, without duplicates; at most a thousand
 */
export function findRepeatedNames(text: string, value: unknown, names = Number.POSITIVE_INFINITY): string[] {
  const found = new Set<string>()
  if (countNames(value) >= names) return []
  for (const path of searchRepeatedNames(text)) if (found.add(path).size === MOST_REPEATED) break
  return [...found]
}

/** As {@link findRepeatedNames}, only the first. */
export function findRepeatedName(text: string, value: unknown, names = Number.POSITIVE_INFINITY): string | undefined {
  if (countNames(value) >= names) return undefined
  for (const path of searchRepeatedNames(text)) return path
  return undefined
}

const MOST_REPEATED = 1_000
// Findings truncate paths at 300 characters. Longer ones would be rebuilt for each name below a name of a megabyte.
const PATH_LENGTH = 301

function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inside = Object.values(value)
  return inside.reduce<number>((sum, one) => sum + countNames(one), Array.isArray(value) ? 0 : inside.length)
}

// Strings, with the colon after a name, and structural characters.
const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}[\],]/gs

interface Open {
  /** The names of an object; undefined for an array. */
  names: Set<string> | undefined
  /** The path to it, with a trailing dot. */
  path: string
  /** The current name or index within it. */
  at: string | number
}

function* searchRepeatedNames(text: string): Generator<string> {
  const open: Open[] = []
  for (const [token, quoted, colon] of text.matchAll(TOKEN)) {
    const top = open.at(-1)
    const path = top === undefined ? '' : `${top.path}${top.at}.`.slice(0, PATH_LENGTH)
    if (token === '{') open.push({ names: new Set(), path, at: '' })
    else if (token === '[') open.push({ names: undefined, path, at: 0 })
    else if (token === '}' || token === ']') open.pop()
    else if (token === ',' && typeof top?.at === 'number') top.at++
    else if (quoted !== undefined && colon !== undefined && top?.names) {
      const name = String(JSON.parse(quoted))
      top.at = name
      if (top.names.has(name)) yield `${top.path}${name}`.slice(0, PATH_LENGTH)
      top.names.add(name)
    }
  }
}
