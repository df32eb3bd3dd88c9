import { decodeWindows1252 } from '../importer/read/encodings/legacy-encodings.ts'

/** With what a page is asked for, so that it answers as it would a browser. */
export const PAGE_HEADERS = { accept: 'text/html,application/xhtml+xml', 'user-agent': 'pullquote-snippet-preview' }

/** The beginning of a page, where what a query is derived from stands: hardly more than `most` bytes are read. */
export async function firstBytes(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  most: number,
): Promise<Uint8Array> {
  const read: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    read.push(chunk)
    length += chunk.length
    if (length > most) break
  }
  return Buffer.concat(read).subarray(0, most)
}

/** Browsers look no further for a declaration. */
const DECLARED_WITHIN = 1024
const WESTERN = /^(windows-1252|cp1252|iso-?8859-1|latin-?1|us-ascii|ascii)$/i
const MARKS = { 'utf-8': 'efbbbf', 'utf-16le': 'fffe', 'utf-16be': 'feff' }

/**
 * The letters of an HTML document: as its byte order mark, the response's `Content-Type` or the document itself says, in this
 * order. One of which nothing is said is UTF-8 when its bytes are.
 */
export function decodePage(bytes: Uint8Array, contentType: string): string {
  const buffer = Buffer.from(bytes)
  const first = buffer.toString('hex', 0, 3)
  const top = buffer.toString('latin1', 0, DECLARED_WITHIN)
  const charset =
    Object.entries(MARKS).find(([, mark]) => first.startsWith(mark))?.[0] ??
    /charset\s*=\s*["']?([\w:.-]+)/i.exec(contentType)?.[1] ??
    /<meta\s[^>]*charset\s*=\s*["']?([\w:.-]+)/i.exec(top)?.[1] ??
    (isUtf8(buffer) ? 'utf-8' : 'windows-1252')
  if (WESTERN.test(charset)) return decodeWindows1252(buffer)
  try {
    return new TextDecoder(charset).decode(buffer)
  } catch {
    return new TextDecoder().decode(buffer)
  }
}

/** Whether bytes are UTF-8 that may have been cut off anywhere. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}
