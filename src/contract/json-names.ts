/**
 * Names that stand twice in one object of a JSON text. `JSON.parse` keeps the last and says nothing; whoever sent both
 * would get an answer to half of what was asked.
 *
 * @param value what the text was parsed to
 * @param names how many names the text has, where they are counted: it is then searched only when some are gone
 * @returns the dotted path of the first, as findings write it
 */
export function findRepeatedName(text: string, value: unknown, names = Number.POSITIVE_INFINITY): string | undefined {
  return countNames(value) < names ? searchRepeatedName(text) : undefined
}

function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inside = Object.values(value)
  return inside.reduce<number>((sum, one) => sum + countNames(one), Array.isArray(value) ? 0 : inside.length)
}

// Strings, with what follows a name, and what opens, parts and closes.
const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}[\],]/gs

interface Open {
  /** The names of an object; undefined for an array. */
  names: Set<string> | undefined
  /** The name or place within it. */
  at: string | number
}

function searchRepeatedName(text: string): string | undefined {
  const open: Open[] = []
  for (const [token, quoted, colon] of text.matchAll(TOKEN)) {
    const top = open.at(-1)
    if (token === '{') open.push({ names: new Set(), at: '' })
    else if (token === '[') open.push({ names: undefined, at: 0 })
    else if (token === '}' || token === ']') open.pop()
    else if (token === ',' && typeof top?.at === 'number') top.at++
    else if (quoted !== undefined && colon !== undefined && top?.names) {
      const name = String(JSON.parse(quoted))
      top.at = name
      if (top.names.has(name)) return open.map(({ at }) => at).join('.')
      top.names.add(name)
    }
  }
  return undefined
}
