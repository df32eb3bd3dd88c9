/** Matches an escape in a name; an escaped quotation mark may be mistaken for its end, which only costs time. */
const ESCAPE_IN_NAME = /\\[^"\\]*"\s*:/
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|(.))/gs
const [SPACE, QUOTE, BACKSLASH] = [0x20, 0x22, 0x5c]

/**
 * `JSON.parse` for untrusted text. Since Node 24, V8 reads the name `"caf\u00e9"` as `caf\` once it has seen that one
 * (nodejs/node#63785), so one client's names would change another's. Unnecessary escapes, as Python's and PHP's
 * encoders write them, are therefore decoded first. Names with `\"`, `\\` or a control character are left to V8.
 *
 * @throws SyntaxError
 */
export function parseJsonText(text: string): unknown {
  // The original first, because errors give positions in it.
  const value: unknown = JSON.parse(text)
  return ESCAPE_IN_NAME.test(text) ? JSON.parse(withoutEscapes(text)) : value
}

/** The same JSON with all unnecessary escapes decoded. */
export function withoutEscapes(text: string): string {
  return text.replace(ESCAPE, (written, hex: string | undefined, letter: string | undefined) => {
    if (hex === undefined) return letter === '/' ? '/' : written
    const unit = Number.parseInt(hex, 16)
    return unit < SPACE || unit === QUOTE || unit === BACKSLASH ? written : String.fromCharCode(unit)
  })
}
