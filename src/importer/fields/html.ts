import { decodeHTMLStrict } from 'entities/decode'

/** A text that consists entirely of HTML paragraphs, as WordPress writes. */
const PARAGRAPHS = /^\s*<(?:p|div|h[1-6]|ul|ol|blockquote)(?: [^<>]*)?>[\s\S]*<\/(?:p|div|ul|ol|blockquote)>\s*$/i
const BETWEEN_PARAGRAPHS = /<\/(?:p|div|ul|ol|blockquote|h[1-6])>/gi
const ITEM = /<li(?: [^<>]*)?>/gi
const FORMATTING =
  /<\/?(?:p|div|span|b|strong|i|em|u|s|del|small|font|mark|a|code|q|cite|ul|ol|li|blockquote|h[1-6])(?: [^<>]*)?>/gi
const ENTITY = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z][A-Za-z\d]{1,7}));/g
/** A code that was encoded once more. */
const TWICE = /&amp;(?=(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|quot|apos|nbsp|[lr][sd]quo|hellip|[mn]dash);)/g
const BREAK = /<br ?\/?>(?:\r?\n)?/gi
/** Formatted words, as WordPress allows them in comments. */
const FORMATTED = /<(b|strong|i|em|u|s|del|small|span|font|mark|a|code|q|cite)(?: [^<>]*)?>[^<]*<\/\1>/i
/** Entities that encoders write but people may type as well. */
const WEAK = new Set(['amp', 'lt', 'gt'])

/** Signs of HTML in a text: an entity nobody types, one somebody might, a line break, paragraphs, formatted words, a bare `&`. */
export interface HtmlTraces {
  strong: boolean
  weak: boolean
  lineBreak: boolean
  paragraphs: boolean
  formatted: boolean
  bare: boolean
}

/** Whether a text has more of it than a bare `&`. */
export function hasHtml({ strong, weak, lineBreak, paragraphs, formatted }: HtmlTraces): boolean {
  return strong || weak || lineBreak || paragraphs || formatted
}

/** @returns undefined for a text without `&` and tags, which nearly all are */
export function htmlTraces(text: string): HtmlTraces | undefined {
  const lineBreak = text.includes('<') && text.search(BREAK) !== -1
  const paragraphs = text.includes('</') && PARAGRAPHS.test(text)
  const formatted = text.includes('</') && FORMATTED.test(text)
  if (!text.includes('&') && !lineBreak && !paragraphs && !formatted) return undefined
  const traces: HtmlTraces = { strong: false, weak: false, lineBreak, paragraphs, formatted, bare: false }
  let codes = 0
  for (const [code, , , name] of text.matchAll(ENTITY)) {
    if (name !== undefined && decodeHTMLStrict(code) === code) continue
    codes++
    if (name !== undefined && WEAK.has(name)) traces.weak = true
    else traces.strong = true
  }
  if (text.search(TWICE) !== -1) traces.strong = true
  let ampersands = 0
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) ampersands++
  traces.bare = ampersands > codes
  return traces
}

const SMALL_FILE = 50
const KINDS = ['strong', 'weak', 'lineBreak', 'paragraphs', 'formatted', 'bare'] as const

/**
 * Decides from all rows whether a file's texts are HTML. A single review may mention `&amp;` or `<br>`; encoding by an
 * exporter shows in several, or as an entity that nobody types, and without any bare `&`.
 */
export class HtmlEvidence {
  #texts = 0
  readonly #withTrace: Record<keyof HtmlTraces, number> = {
    strong: 0,
    weak: 0,
    lineBreak: 0,
    paragraphs: 0,
    formatted: 0,
    bare: 0,
  }

  add(traces: HtmlTraces | undefined): void {
    this.#texts++
    for (const kind of traces ? KINDS : []) if (traces?.[kind]) this.#withTrace[kind]++
  }

  get isEncoded(): boolean {
    const { strong, weak, lineBreak, paragraphs, bare } = this.#withTrace
    if (paragraphs >= 2 || (paragraphs === 1 && this.#texts <= SMALL_FILE)) return true
    if (strong >= 2 || (strong === 1 && bare === 0 && this.#texts <= SMALL_FILE)) return true
    return (weak >= 2 && bare === 0) || lineBreak >= 2
  }
}

/**
 * Decodes entities, also those that nobody types and that are encoded twice, turns `<br>` into line breaks, and removes the
 * formatting of paragraphs and words. Other tags are kept.
 */
export function decodeHtml(text: string): string {
  const lines = text.replace(BREAK, '\n')
  return (lines.includes('</') && (PARAGRAPHS.test(lines) || FORMATTED.test(lines)) ? withoutFormatting(lines) : lines)
    .replace(TWICE, '&')
    .replace(ENTITY, (code, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return decodeHTMLStrict(code)
      return character(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)) ?? code
    })
    .trim()
}

function withoutFormatting(text: string): string {
  return text
    .replace(BETWEEN_PARAGRAPHS, '\n\n')
    .replace(ITEM, '\n')
    .replace(FORMATTING, '')
    .replace(/\n[^\S\n]+(?=\n)/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
}

/** Undefined for code points that no text may contain: control characters, surrogates, numbers beyond Unicode. */
function character(code: number): string | undefined {
  const isControl = code < 0x20 ? code !== 0x09 && code !== 0x0a && code !== 0x0d : code >= 0x7f && code < 0xa0
  if (isControl || (code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) return undefined
  return String.fromCodePoint(code)
}
