/** Enough for declarations, a document type and comments before the first element. */
export const PROLOG_BYTES = 4_096

/** Elements of web pages, spreadsheets and pictures: none of them holds reviews as records. */
const OTHERS = new Set(
  'html head body table thead tbody tr style meta script div center span p section main article svg workbook document'.split(
    ' ',
  ),
)

/**
 * The name of an XML document's first element, without its prefix; undefined for a web page, a spreadsheet, or text that only
 * begins like XML. Without a declaration (`<?xml …?>`) the document must end with the element, or begin with another in it.
 *
 * @param start the first {@link PROLOG_BYTES} as text
 * @param end the last characters as text
 */
export function xmlRoot(start: string, end: string): string | undefined {
  let at = skipSpaces(start, 0)
  const isDeclared = start.startsWith('<?xml', at)
  for (let close = prologEnd(start, at); close !== undefined; close = prologEnd(start, at)) {
    if (close === -1) return undefined
    at = skipSpaces(start, close)
  }
  const qualified = /^<([\p{L}_][\w.:-]{0,200})[\s/>]/u.exec(start.slice(at, at + 210))?.[1]
  const root = qualified?.slice(qualified.indexOf(':') + 1)
  if (qualified === undefined || root === undefined || OTHERS.has(root.toLowerCase())) return undefined
  const isClosed = () => end.trimEnd().endsWith(`</${qualified}>`)
  return isDeclared || isClosed() || HOLDS_ELEMENT.test(start.slice(at, at + 600)) ? root : undefined
}

/** How a document begins that breaks off later. Headings in angle brackets are apart by a delimiter. */
const HOLDS_ELEMENT = /^<[^<>]{1,500}>(?:\r?\n[ \t]{0,50})?<\p{L}/u

/** The encoding that an XML declaration names. */
export function xmlEncoding(start: string): string | undefined {
  return /^\s*<\?xml[^>]{0,200}\sencoding\s*=\s*["']([\w.:-]{1,40})/.exec(start.slice(0, 400))?.[1]
}

/** Where a declaration, comment or document type at a place ends: -1 when it does not, undefined when none begins there. */
function prologEnd(text: string, at: number): number | undefined {
  const after = (closing: string) => {
    const end = text.indexOf(closing, at)
    return end === -1 ? -1 : end + closing.length
  }
  if (text.startsWith('<?', at)) return after('?>')
  if (text.startsWith('<!--', at)) return after('-->')
  if (!/^<!DOCTYPE/i.test(text.slice(at, at + 9))) return undefined
  const [plain, entities] = [after('>'), after('[')]
  return entities !== -1 && entities < plain ? after(']>') : plain
}

function skipSpaces(text: string, from: number): number {
  let at = from
  while (at < text.length && ' \t\r\n\ufeff'.includes(text[at] ?? '')) at++
  return at
}
