/** What may stand between two values: white space, the commas of a list without its brackets, RFC 7464's record separator. */
const BETWEEN = /[\s,\u001e]*/y
const OPENING = /["{[\]}]/g
const STRING_END = /\\|"/g

/**
 * The texts of objects and lists that stand one behind the other, as `jq` writes what it takes from a list, and programs that
 * write each record by itself; undefined where anything else stands between them, or the last is not whole.
 */
export function textsInSequence(text: string): string[] | undefined {
  const texts: string[] = []
  for (let at = behindSeparators(text, 0); at < text.length; ) {
    if (text[at] !== '{' && text[at] !== '[') return undefined
    const end = endOfValue(text, at)
    if (end === undefined) return undefined
    texts.push(text.slice(at, end))
    at = behindSeparators(text, end)
  }
  return texts
}

function behindSeparators(text: string, from: number): number {
  BETWEEN.lastIndex = from
  BETWEEN.exec(text)
  return BETWEEN.lastIndex
}

/** Behind the bracket that closes the one at `from`. */
function endOfValue(text: string, from: number): number | undefined {
  let depth = 0
  OPENING.lastIndex = from
  for (let match = OPENING.exec(text); match; match = OPENING.exec(text)) {
    if (match[0] === '"') {
      const end = endOfString(text, OPENING.lastIndex)
      if (end === undefined) return undefined
      OPENING.lastIndex = end
    } else if (match[0] === '{' || match[0] === '[') depth++
    else if (depth === 1) return OPENING.lastIndex
    else depth--
  }
  return undefined
}

function endOfString(text: string, from: number): number | undefined {
  STRING_END.lastIndex = from
  for (let match = STRING_END.exec(text); match; match = STRING_END.exec(text)) {
    if (match[0] === '"') return STRING_END.lastIndex
    STRING_END.lastIndex++
  }
  return undefined
}
