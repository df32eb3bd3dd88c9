/** More than a hundred times the nesting of any valid request. */
export const MAX_JSON_DEPTH = 500
/** A valid push has 4,500 at most: 100 reviews of 10 fields and 32 entries of metadata. */
export const MAX_JSON_VALUES = 50_000

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_ARRAY = 0x5b
const BACKSLASH = 0x5c
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/**
 * Checks the bytes of JSON for what makes it too expensive to parse alongside other requests: a megabyte of brackets takes
 * the parser, and a megabyte of different names the parser and the validation, many times as long as one of text. Does not
 * check the syntax.
 * @returns what exceeds a limit, or how many names the text has
 */
export function measureJson(bytes: Uint8Array): { exceeded: string } | { exceeded?: undefined; names: number } {
  let depth = 0
  let values = 0
  let names = 0
  let quoted = false
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (quoted) {
      if (byte === BACKSLASH) i++
      else if (byte === QUOTE) quoted = false
    } else if (byte === QUOTE) quoted = true
    else if (byte === COMMA) values++
    else if (byte === COLON) names++
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      values++
      depth++
      if (depth > MAX_JSON_DEPTH) return { exceeded: `is nested more than ${MAX_JSON_DEPTH} levels deep` }
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--
    if (values > MAX_JSON_VALUES) return { exceeded: `has more than ${MAX_JSON_VALUES} fields and items` }
  }
  return { names }
}
