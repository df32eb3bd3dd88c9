import { decodeHtml } from '../../fields/html.ts'
import { isObject } from './json-values.ts'

type Part = Record<string, unknown>
/** `null` for a part without text, as pictures are; undefined for what is no part of a formatted text. */
type Text = string | null | undefined

/** Deeper than lists in lists are. */
const DEEPEST = 30
const BREAK = /^hard_?break$|^linebreak$/i
/** Stand within a line, also where nothing else does. */
const INLINE = /link|mention/i
/** Properties of a part that are texts; with others, it is a record that has a text. */
const KNOWN =
  /^(?:_?type|_?key|id|text|value|nodeType|mode|format|direction|tag|url|rel|target|href|title|language|align|style|text\w+|list\w+|line\w+|font\w+|\w*color)$/i

/**
 * The words of a text that an editor stored as parts with their formatting: Lexical (Payload), ProseMirror and TipTap,
 * Contentful, Slate, Strapi's blocks, Portable Text (Sanity), Quill, Notion, Editor.js and Draft.js. Paragraphs are apart by a
 * blank line, items of lists by a line break; addresses of links and pictures are left out.
 *
 * @returns undefined for any other value
 */
export function formattedText(value: unknown): string | undefined {
  const parts = partsOf(value)
  return (Array.isArray(parts) && parts.length > 0 ? joined(parts, 0) : undefined)?.trim()
}

function partsOf(value: unknown): unknown {
  if (!isObject(value)) return value
  const { root, type, nodeType, content, ops, blocks } = value
  if (isObject(root) && root.type === 'root') return root.children
  return type === 'doc' || nodeType === 'document' ? content : (ops ?? blocks)
}

function joined(parts: readonly unknown[], depth: number): Text {
  const texts: string[] = []
  let isLine = false
  for (const part of parts) {
    if (!isObject(part) || depth > DEEPEST) return undefined
    const word = depth === 0 ? outerWord(part) : innerWord(part)
    const text = word ?? blockText(part, depth)
    if (text === undefined) return undefined
    isLine ||= word !== undefined || INLINE.test(String(part.type ?? part.nodeType))
    if (text !== null) texts.push(text)
  }
  if (texts.length === 0) return null
  return isLine ? texts.join('') : texts.filter((text) => text.trim() !== '').join(depth === 0 ? '\n\n' : '\n')
}

/** Quill and Notion have no parts within parts. */
function outerWord({ insert, plain_text: plain }: Part): string | undefined {
  return [insert, plain].find((text) => typeof text === 'string')
}

function innerWord(part: Part): string | undefined {
  if (BREAK.test(String(part.type))) return '\n'
  const text = part.nodeType === 'text' ? part.value : part.text
  return typeof text === 'string' && isKnown(part) ? text : undefined
}

function blockText(part: Part, depth: number): Text {
  const within = part.children ?? part.content
  const { text, inlineStyleRanges, data, insert, type = part._type ?? part.nodeType } = part
  if (Array.isArray(within)) return typeof text === 'string' || !isKnown(part) ? undefined : joined(within, depth + 1)
  if (Array.isArray(inlineStyleRanges) && typeof text === 'string') return text
  if (text !== undefined) return undefined
  if (depth === 0 && isObject(data)) return htmlText(data, depth)
  return isObject(insert) || typeof type === 'string' ? null : undefined
}

/** Of Editor.js, whose paragraphs and items are HTML. */
function htmlText({ text, content = text, items }: Part, depth: number): Text {
  const all = [content, ...(Array.isArray(items) ? items : [])].map((one: unknown) => {
    if (typeof one === 'string') return decodeHtml(one)
    return isObject(one) && depth < DEEPEST ? htmlText(one, depth + 1) : null
  })
  const lines = all.filter((line) => typeof line === 'string')
  return lines.length > 0 ? lines.join('\n') : null
}

function isKnown(part: Part): boolean {
  return Object.entries(part).every(([name, value]) => typeof value !== 'string' || KNOWN.test(name))
}
