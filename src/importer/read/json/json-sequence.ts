/** Separators between values: white space, the commas of a list without brackets, RFC 7464's record separator. */
const BETWEEN = /[\s,\u001e]*/y
const OPENING = /["{[\]}]/g
const STRING_END = /\\|"/g

/**
 * Splits concatenated objects and lists, as `jq` writes the items of a list and programs write records one at a time;
 * undefined when anything else stands between them or the last is incomplete.
 */
export function textsInSequence(text: string): string[] | undefined {
  const texts: string[] = []
  for (let at = afterSeparators(text, 0); at < text.length; ) {
    if (text[at] !== '{' && text[at] !== '[') return undefined
    const end = endOfValue(text, at)
    if (end === undefined) return undefined
    texts.push(text.slice(at, end))
    at = afterSeparators(text, end)
  }
  return texts
}

function afterSeparators(text: string, from: number): number {
  BETWEEN.lastIndex = from
  BETWEEN.exec(text)
  return BETWEEN.lastIndex
}

/** The offset after the bracket that closes the one at `from`. */
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
