import { labels } from '../snippet/labels.ts'
import type { Note } from '../snippet/query.ts'
import { renderInto } from '../snippet/render.ts'
import type { Options } from '../snippet/settings.ts'
import css from '../snippet/snippet.css'
import { translations } from '../snippet/translations.ts'
import type { QueryResponse } from '../src/contract/query.ts'
import { el } from './dom.ts'

Object.assign(labels, translations)

/** Cards exactly as the snippet renders them on a page. */
export function cards(response: QueryResponse, options: Options = {}, note: Note = {}): HTMLElement {
  const host = el('div', { class: 'cards' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  const root = host.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [sheet]
  const frame = el('div')
  // As the style sheet expects it.
  root.append(el('slot'), frame)
  renderInto(frame, response, { theme: 'auto', lang: 'en', ...options }, note)
  return host
}
