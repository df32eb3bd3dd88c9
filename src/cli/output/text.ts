import stringWidth from 'string-width'
import { fastWidth } from './fast-width.ts'

// Escape sequences and bidi overrides in reviews must not reach the terminal: they could alter what is displayed.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const COLOUR = /\u001b\[[\d;]*m/g

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
const LEFT_TO_RIGHT_MARK = '\u200e'

/** Untrusted text as one line that is safe to print. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').replace(CONTROLS, '').trim()
}

/** Untrusted text that is safe to print, with its line breaks kept. */
export function printable(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(CONTROLS, '')
}

/**
 * A name before other parts of a line on a terminal. After one in Hebrew or Arabic a terminal that reorders such text
 * would move the first digits of what follows, such as the day of a date, to the other side of the name.
 */
export function nameInLine(name: string): string {
  return RIGHT_TO_LEFT.test(name) ? name + LEFT_TO_RIGHT_MARK : name
}

/**
 * A whole line of ours, in which only its colours and the marks of {@link nameInLine} may be control characters, whatever
 * untrusted text it includes.
 */
export function withColoursOnly(line: string): string {
  const colours = line.match(COLOUR) ?? []
  return line
    .split(COLOUR)
    .map((piece, at) => piece.replace(CONTROLS, (one) => (one === LEFT_TO_RIGHT_MARK ? one : '')) + (colours[at] ?? ''))
    .join('')
}

// Created on demand: loading it takes 0.01 s.
let graphemes: Intl.Segmenter | undefined

/** JSON that is safe to print: it escapes by itself only what is below U+0020, and the rest means the same escaped. */
export function printableJson(value: unknown, space = 0): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(value, null, space).replace(CONTROLS, escaped)
}

/** Truncates text to `columns` of the terminal, ending in an ellipsis. Wide characters count as two. */
export function truncate(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text
  return `${beginning(text, columns - 1).trimEnd()}…`
}

/** The longest beginning of a text that takes at most `columns`; no character that consists of several is cut. */
export function beginning(text: string, columns: number): string {
  const most = Math.max(0, columns)
  if (fastWidth(text) === text.length) return text.slice(0, most)
  let width = 0
  let end = 0
  for (const { segment, index } of graphemesOf(text)) {
    width += stringWidth(segment)
    if (width > most) break
    end = index + segment.length
  }
  return text.slice(0, end)
}

/** The longest end of a text that takes at most `columns`. */
export function ending(text: string, columns: number): string {
  if (fastWidth(text) === text.length) return text.slice(Math.max(0, text.length - columns))
  let width = 0
  let start = text.length
  for (const { segment, index } of [...graphemesOf(text)].reverse()) {
    width += stringWidth(segment)
    if (width > columns) break
    start = index
  }
  return text.slice(start)
}

function graphemesOf(text: string): Iterable<Intl.SegmentData> {
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return graphemes.segment(text)
}

export function padEnd(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - stringWidth(text)))
}
