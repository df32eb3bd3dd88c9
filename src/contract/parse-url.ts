/**
 * The URL that a text is, if it is one. Not by `URL.canParse`, which in Node 20 denies whatever has a letter of Latin-1 such as
 * "ü" once it was called some thousand times.
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
