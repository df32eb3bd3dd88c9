const TOKEN =
  /[\s\ufeff]*(?:([{}[\],:])|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y

/**
 * Where JSON text breaks off being JSON, since the platform's own message often names no place.
 *
 * @returns line and column, both from 1; the end of the text when something is missing there
 */
export function jsonFault(text: string): { line: number; column: number } {
  const stack: string[] = []
  // What may come next: a value, a key, a colon, or what ends or continues the innermost list or object.
  let next: 'value' | 'key' | 'colon' | 'more' = 'value'
  let at = 0
  for (;;) {
    const blanks = /[\s\ufeff]*/y
    blanks.lastIndex = at
    const start = at + (blanks.exec(text)?.[0].length ?? 0)
    TOKEN.lastIndex = at
    const match = TOKEN.exec(text)
    if (!match) return placeOf(text, start)
    const mark = match[1]
    const inner = stack.at(-1)
    const isString = mark === undefined && text[start] === '"'
    if (next === 'colon' && mark === ':') next = 'value'
    else if (next === 'more' && mark === ',' && inner !== undefined) next = inner === '{' ? 'key' : 'value'
    else if (mark === '}' && inner === '{' && (next === 'more' || text[at - 1] === '{')) next = close(stack)
    else if (mark === ']' && inner === '[' && (next === 'more' || text[at - 1] === '[')) next = close(stack)
    else if (next === 'key' && isString) next = 'colon'
    else if (next === 'value' && (mark === '{' || mark === '[')) {
      stack.push(mark)
      next = mark === '{' ? 'key' : 'value'
    } else if (next === 'value' && mark === undefined) next = 'more'
    else return placeOf(text, start)
    at = TOKEN.lastIndex
  }
}

function close(stack: string[]): 'more' {
  stack.pop()
  return 'more'
}

function placeOf(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at)
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') }
}
