/** Attributes in order; `true` is written without a value, undefined is omitted. */
export type TagAttributes = [name: string, value: string | true | undefined][]

/**
 * Releases the reserved height when the script fails to load: a server that is down must not leave a gap in the page. The
 * elements are found by name, since editors wrap the script in a paragraph and optimizers move it. Without braces, which
 * are code in some shops' templates, and without `>`, at which careless ones end a tag.
 */
const ON_ERROR = "for(let e of document.querySelectorAll('pullquote-reviews'))e.style.minHeight=0"

/**
 * The HTML to paste: the element in which the reviews appear, which reserves their height from the first paint, and the
 * script. The element also names the server, which a script does not know once an optimizer has put it into a file of the
 * site's own. Attribute values are escaped.
 * @param src address of the file
 * @param script more attributes of the script
 * @param between white space between the element's attributes
 */
export function tagHtml(element: TagAttributes, src: string, script: TagAttributes = [], between = ' '): string {
  const there = written([...element, ['data-host', new URL('.', src).href]]).join(between)
  const attributes = written([['src', src], ...script, ['onerror', ON_ERROR]]).join(' ')
  return `<pullquote-reviews ${there}></pullquote-reviews>\n<script async ${attributes}></script>`
}

function written(attributes: TagAttributes): string[] {
  return attributes.flatMap(([name, value]) => {
    if (value === undefined) return []
    return value === true ? name : `${name}="${escaped(value)}"`
  })
}

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
