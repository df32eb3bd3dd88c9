import type { Note } from '../../snippet/query.ts'
import { reservedHeight } from '../../snippet/reserved-height.ts'
import type { Options } from '../../snippet/settings.ts'
import type { TagAttributes } from '../../snippet/tag-html.ts'
import { METADATA, QUERY_LENGTH, QUERY_LIMIT } from '../../src/contract/limits.ts'
import { checkbox, el, field, select } from '../dom.ts'

/** The values of a form that was left: those of its texts and choices, and of its boxes, in order. */
export interface TagDraft {
  texts: string[]
  boxes: boolean[]
}

const DEFAULT_CARDS = 3
const QUERY_HINT = 'If empty, each page uses its own heading, and its title and description if nothing fits that.'

const METADATA_HINT = 'As an import kept it: location and leeds, for the page of one place.'
/** HTML lower-cases the names of attributes and ends them at a space. */
const ATTRIBUTE_KEY = /^[a-z0-9._-]+$/
const NO_ATTRIBUTE = 'A key with capital letters, spaces or signs cannot be in a tag: all reviews are asked for.'

/** How the tag looks and what it asks for. */
export class TagForm {
  readonly #heading = el('input', { maxlength: 120, dir: 'auto', value: 'What our guests say' })
  readonly #query = el('input', { maxlength: QUERY_LENGTH, dir: 'auto' })
  readonly #limit = el('input', { type: 'number', min: QUERY_LIMIT.min, max: QUERY_LIMIT.max, value: DEFAULT_CARDS })
  readonly #layout = select([['', 'grid'], 'list', ['single', 'single quote']], '')
  readonly #theme = select([['', 'same as page'], ['auto', 'reader’s system theme'], 'light', 'dark'], '')
  readonly #language: HTMLSelectElement
  readonly #key = el('input', { maxlength: METADATA.keyLength, autocapitalize: 'none', spellcheck: false })
  readonly #value = el('input', { maxlength: METADATA.valueLength, dir: 'auto' })
  readonly #keySaid = el('p', { role: 'status' })
  readonly #note = el('input', { type: 'checkbox', checked: true })
  readonly #reserve = el('input', { type: 'checkbox', checked: true })
  readonly #noteSaid = el('p', { class: 'hint' })
  readonly #notes: Record<string, string>

  /** @param notes the note for the project's settings by language; on a page the server composes it on every view */
  constructor(notes: Record<string, string>, draft: TagDraft | undefined) {
    this.#notes = notes
    this.#language = select([['', 'same as page'], ...Object.keys(notes).map(languageOption)], '')
    for (const [at, control] of this.#texts.entries()) control.value = draft?.texts[at] ?? control.value
    for (const [at, control] of this.#boxes.entries()) control.checked = draft?.boxes[at] ?? control.checked
    this.#limit.addEventListener('change', () => {
      // What cannot be had is not left standing beside a tag that says something else.
      this.#limit.value = `${this.#limitInRange}`
    })
    this.#language.addEventListener('change', () => this.#tellNote())
    this.#key.addEventListener('input', () => this.#tellKey())
    this.#tellNote()
    this.#tellKey()
  }

  get element(): HTMLElement {
    return el(
      'div',
      field('Heading', this.#heading),
      field('Query', this.#query, QUERY_HINT),
      el('div', { class: 'row' }, field('Only with metadata', this.#key), field('Value', this.#value)),
      this.#keySaid,
      el('div', { class: 'row pad' }, field('Cards', this.#limit), field('Layout', this.#layout)),
      el('div', { class: 'row pad' }, field('Colours', this.#theme), field('Language', this.#language)),
      checkbox('Reserve space until the reviews load', this.#reserve),
      checkbox('Add a note on which reviews are shown', this.#note),
      this.#noteSaid,
    )
  }

  /** Calls `changed` after each change of a control. */
  onChange(changed: () => void): void {
    for (const control of [...this.#texts, ...this.#boxes]) control.addEventListener('input', changed)
  }

  get #texts(): (HTMLInputElement | HTMLSelectElement)[] {
    return [this.#heading, this.#query, this.#limit, this.#layout, this.#theme, this.#language, this.#key, this.#value]
  }

  get #boxes(): HTMLInputElement[] {
    return [this.#note, this.#reserve]
  }

  get draft(): TagDraft {
    return { texts: this.#texts.map(({ value }) => value), boxes: this.#boxes.map(({ checked }) => checked) }
  }

  /** What the tag asks for; undefined: each page asks for what it is about. */
  get query(): string | undefined {
    return this.#query.value.trim() || undefined
  }

  /** Which reviews it asks for. */
  get metadata(): Record<string, string> {
    const [key, value] = [this.#key.value.trim(), this.#value.value.trim()]
    return ATTRIBUTE_KEY.test(key) && value ? { [key]: value } : {}
  }

  /** How many cards the tag shows. */
  get cards(): number {
    return this.#isSingle ? 1 : this.#limitInRange
  }

  get options(): Options {
    const heading = this.#heading.value.trim()
    return {
      ...(heading ? { heading } : {}),
      ...(this.#layout.value ? { layout: this.#layout.value } : {}),
      ...(this.#theme.value ? { theme: this.#theme.value } : {}),
      ...(this.#language.value ? { lang: this.#language.value } : {}),
    }
  }

  get note(): Note {
    return this.#note.checked ? { note: this.#noteText, lang: this.#language.value || 'en' } : {}
  }

  attributes(key: string): TagAttributes {
    const isReserved = this.#reserve.checked
    return [
      ['style', isReserved ? `display: block; min-height: ${reservedHeight(this.cards)}` : undefined],
      ['data-key', key],
      ['data-query', this.query],
      ['data-limit', this.#isSingle ? undefined : `${this.cards}`],
      ...Object.entries(this.metadata).map(([key, value]): TagAttributes[number] => [`data-meta-${key}`, value]),
      ['data-layout', this.#layout.value || undefined],
      ['data-theme', this.#theme.value || undefined],
      ['data-lang', this.#language.value || undefined],
      ['data-heading', this.#heading.value.trim() || undefined],
      ['data-note', this.#note.checked ? 'auto' : undefined],
      ['data-reserve', isReserved ? 'auto' : undefined],
    ]
  }

  get #isSingle(): boolean {
    return this.#layout.value === 'single'
  }

  get #limitInRange(): number {
    const { value } = this.#limit
    const typed = value === '' ? DEFAULT_CARDS : Math.trunc(Number(value))
    return Math.min(QUERY_LIMIT.max, Math.max(QUERY_LIMIT.min, typed))
  }

  get #noteText(): string {
    return this.#notes[this.#language.value || 'en'] ?? ''
  }

  #tellKey(): void {
    const key = this.#key.value.trim()
    const fits = key === '' || ATTRIBUTE_KEY.test(key)
    this.#keySaid.className = fits ? 'hint' : 'problem'
    this.#keySaid.textContent = fits ? METADATA_HINT : NO_ATTRIBUTE
  }

  #tellNote(): void {
    this.#noteSaid.textContent = this.#noteText
      ? `The note has to say which reviews are shown: “${this.#noteText}”. It changes with the settings.`
      : 'All reviews are shown, so no note is needed.'
  }
}

/** A language by its own name: `Français`. */
function languageOption(tag: string): [string, string] {
  const name = new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag
  return [tag, name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)]
}
