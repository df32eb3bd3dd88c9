/** Recursion deeper than this may overflow the stack. Exports have four levels. */
const MAX_DEPTH = 200

/** The number of keys in valid JSON text; undefined when lists and objects are nested deeper than `MAX_DEPTH`. */
export function countJsonNames(text: string): number | undefined {
  let depth = 0
  let names = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) at = stringEnd(text, at)
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > MAX_DEPTH) return undefined
    } else if (code === 0x5d || code === 0x7d) depth--
    else if (code === 0x3a) names++
  }
  return names
}

const NO_NUMBER = /NaN|-?Infinity/y

/** JSON text with Python's `NaN` and `Infinity`, which are not JSON, as null; those in strings stay. */
export function withoutNaN(text: string): string {
  let result = ''
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const mark = text[at]
    if (mark === '"') at = stringEnd(text, at)
    else if (mark === 'N' || mark === 'I' || mark === '-') {
      const end = skip(NO_NUMBER, text, at)
      if (end === at) continue
      result += `${text.slice(start, at)}null`
      start = end
      at = end - 1
    }
  }
  return result + text.slice(start)
}

const BLANKS = /[\s\ufeff]*/y
const PLAIN_VALUE = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y

/**
 * Locates the first syntax error in JSON text, because the platform's own message often gives no position.
 *
 * @returns line and column, both from 1; the end of the text when something is missing there, as in a truncated
 * download
 */
export function locateJsonError(text: string): { line: number; column: number; isEnd: boolean } {
  const at = faultAt(text)
  const isEnd = at >= text.trimEnd().length || (text[at] === '"' && text.indexOf('"', at + 1) === -1)
  const lines = text.slice(0, at).split('\n')
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1, isEnd }
}

function faultAt(text: string): number {
  const stack: string[] = []
  // The token that may come next; `more` is what continues or closes the innermost list or object.
  let next: 'value' | 'key' | 'colon' | 'more' = 'value'
  let justOpened = false
  for (let at = skip(BLANKS, text, 0); at < text.length; at = skip(BLANKS, text, at)) {
    const mark = text[at] ?? ''
    const inner = stack.at(-1)
    const start = at
    const first = justOpened
    justOpened = false
    at++
    if (mark === '"') {
      if (next !== 'key' && next !== 'value') return start
      at = closedString(text, start)
      if (at === -1) return start
      next = next === 'key' ? 'colon' : 'more'
    } else if (next === 'colon' && mark === ':') next = 'value'
    else if (next === 'more' && mark === ',' && inner !== undefined) next = inner === '{' ? 'key' : 'value'
    else if ((mark === '}' && inner === '{') || (mark === ']' && inner === '[')) {
      if (next !== 'more' && !first) return start
      stack.pop()
      next = 'more'
    } else if (next === 'value' && (mark === '{' || mark === '[')) {
      stack.push(mark)
      next = mark === '{' ? 'key' : 'value'
      justOpened = true
    } else if (next === 'value') {
      at = skip(PLAIN_VALUE, text, start)
      if (at === start) return start
      next = 'more'
    } else return start
  }
  return text.length
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

/** The offset after a string; -1 when it is not closed or contains an invalid character. */
function closedString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return at + 1
    if (code < 0x20) return -1
    if (code !== 0x5c) continue
    const end = skip(ESCAPE, text, at)
    if (end === at) return -1
    at = end - 1
  }
  return -1
}

/** The offset of the quote that closes a string of valid JSON. */
function stringEnd(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text.charCodeAt(at) !== 0x22) at += text.charCodeAt(at) === 0x5c ? 2 : 1
  return at
}
