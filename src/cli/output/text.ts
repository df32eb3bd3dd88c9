import stringWidth from 'string-width'
import { fastWidth } from './fast-width.ts'

// Escape sequences and bidi overrides in a review must not reach the terminal: they could rewrite what is shown.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Text from outside as one line that is safe to print. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').replace(CONTROLS, '').trim()
}

/** Text from outside that keeps its line breaks. */
export function printable(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(CONTROLS, '')
}

// Made when a text is cut: loading it takes 0.01 s.
let graphemes: Intl.Segmenter | undefined

/** Cuts text to `columns` of the terminal, with an ellipsis where something was cut. Wide letters count as two. */
export function truncate(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text
  const plain = fastWidth(text) === text.length
  if (plain) return `${text.slice(0, Math.max(0, columns - 1)).trimEnd()}…`
  let width = 0
  let end = 0
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  for (const { segment, index } of graphemes.segment(text)) {
    width += stringWidth(segment)
    if (width > columns - 1) break
    end = index + segment.length
  }
  return `${text.slice(0, end).trimEnd()}…`
}

export function padEnd(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - stringWidth(text)))
}

/** A value as one word of a command that is copied into a shell: `Hotel Aurora` needs quotes. */
export function shellQuote(value: string): string {
  return /^[\w./:@%+=,-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`
}
