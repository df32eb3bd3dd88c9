/** The last escape of a name, at most; a quotation mark that is escaped may look like its end, which costs time only. */
const ESCAPE_IN_NAME = /\\[^"\\]*"\s*:/
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|(.))/gs
const [SPACE, QUOTE, BACKSLASH] = [0x20, 0x22, 0x5c]

/**
 * `JSON.parse` for what comes from outside. Since Node 24 V8 reads the name `"caf\u00e9"` as `caf\` once it has read that one
 * (nodejs/node#63785), so that one client's names would change another's: the escapes that a text can do without, as those of
 * Python's and PHP's encoders, are written out before. Names with `\"`, `\\` or a control character are left to V8.
 *
 * @throws SyntaxError
 */
export function parseJsonText(text: string): unknown {
  // First as it is, since an error names places in this text.
  const value: unknown = JSON.parse(text)
  return ESCAPE_IN_NAME.test(text) ? JSON.parse(withoutEscapes(text)) : value
}

/** The same JSON, with every character that need not be escaped as it is. */
export function withoutEscapes(text: string): string {
  return text.replace(ESCAPE, (written, hex: string | undefined, letter: string | undefined) => {
    if (hex === undefined) return letter === '/' ? '/' : written
    const unit = Number.parseInt(hex, 16)
    return unit < SPACE || unit === QUOTE || unit === BACKSLASH ? written : String.fromCharCode(unit)
  })
}
