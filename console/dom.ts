export type Child = Node | string | number | false | null | undefined

type Attributes = Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>

/**
 * Creates an element from its attributes, if it has any, and its children. Strings become text nodes, so that no review is
 * ever parsed as markup. As attribute values, functions are listeners (`onclick`), `true` sets an empty attribute, and
 * `false`, null and undefined set none.
 */
export function el<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes,
  ...children: Child[]
): HTMLElementTagNameMap[K]
export function el<K extends keyof HTMLElementTagNameMap>(name: K, ...children: Child[]): HTMLElementTagNameMap[K]
export function el(name: string, first?: Attributes | Child, ...rest: Child[]): HTMLElement {
  const made = document.createElement(name)
  const [attributes, children] = isAttributes(first) ? [first, rest] : [{}, [first, ...rest]]
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(key.slice(2), value)
    else if (value !== undefined && value !== null && value !== false)
      made.setAttribute(key, value === true ? '' : `${value}`)
  }
  made.append(...children.filter(isShown))
  return made
}

/** The same for SVG elements. */
export function svg(name: string, attributes: Record<string, string | number>, ...children: Child[]): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, `${value}`)
  made.append(...children.filter(isShown))
  return made
}

function isAttributes(part: Attributes | Child): part is Attributes {
  return typeof part === 'object' && part !== null && !(part instanceof Node)
}

function isShown(child: Child): child is Node | string {
  return child !== undefined && child !== null && child !== false && child !== ''
}

/** A button that does `work` when it is pressed. */
export function button(text: string, work: () => unknown, attributes: Attributes = {}): HTMLButtonElement {
  return el('button', { type: 'button', onclick: () => void work(), ...attributes }, text)
}

let serial = 0

/**
 * A control with a label and an optional hint, linked for clicks and screen readers.
 * @param box contains the control and what stands beside it
 */
export function field(label: string, control: HTMLElement, hint?: Child, box = control): HTMLElement {
  control.id ||= `f${++serial}`
  if (hint) control.setAttribute('aria-describedby', `${control.id}-hint`)
  return el(
    'div',
    { class: 'field' },
    el('label', { for: control.id }, label),
    box,
    hint && el('p', { class: 'hint', id: `${control.id}-hint` }, hint),
  )
}

export type Fact = [name: string, ...values: Child[]]

export function factList(facts: readonly Fact[]): HTMLElement {
  return el('dl', { class: 'facts' }, ...facts.flatMap(([name, ...values]) => [el('dt', name), el('dd', ...values)]))
}

/** A checkbox followed by its label. */
export function checkbox(label: string, control: HTMLInputElement): HTMLElement {
  return el('label', { class: 'check' }, control, el('span', label))
}

/** A submit handler that does `work` instead of leaving the page. */
export function onSubmit(work: () => unknown): (event: Event) => void {
  return (event) => {
    event.preventDefault()
    void work()
  }
}

/** @param options values, or pairs of value and text when these differ */
export function select(
  options: ([value: string, text: string] | string)[],
  value: string,
  onchange?: (value: string) => void,
) {
  const made = el('select', { onchange: () => onchange?.(made.value) })
  for (const option of options) {
    const [each, text] = typeof option === 'string' ? [option, option] : option
    made.append(el('option', { value: each, selected: each === value }, text))
  }
  return made
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** A UTC day: exports often have only the day, which must not shift with the reader's time zone. */
export function formatDay(moment: string | null): string {
  return moment === null ? 'no date' : day.format(new Date(moment))
}

/** A rating as stars, labelled with its number for screen readers. */
export function stars(rating: number | null): HTMLElement {
  if (rating === null) return el('span', { class: 'soft' }, 'no stars')
  const label = `${rating} out of 5 stars`
  return el('span', { class: 'stars', role: 'img', 'aria-label': label }, '★'.repeat(rating) + '☆'.repeat(5 - rating))
}

/** Display name of a source. @param platform the name that a review gives for a custom source */
export function sourceName(source: string, platform?: string | null): string {
  if (source === 'custom') return platform || 'elsewhere'
  return source.replace(/^./, (letter) => letter.toUpperCase())
}

/** Disables a button during `work`, then restores the focus that disabling took from it. */
export async function whileDisabled(button: HTMLButtonElement, work: () => Promise<unknown>): Promise<void> {
  const isFocused = document.activeElement === button
  button.disabled = true
  await work()
  button.disabled = false
  if (isFocused && document.activeElement === document.body) button.focus()
}

/** The button itself, or the one in the view that has taken its place: of the same name, for the same review or sentence. */
export function currentButton(button: Element | null): HTMLElement | undefined {
  if (button?.isConnected && button instanceof HTMLElement) return button
  const named = (one: Element | null) => `${one?.textContent}: ${one?.getAttribute('aria-description')}`
  return [...document.querySelectorAll<HTMLElement>('main button')].find((one) => named(one) === named(button))
}

/** @returns what moves the focus to the first child of `place`, if it was in `place` before and is lost */
export function focusKeeper(place: HTMLElement): () => void {
  const hadFocus = place.contains(document.activeElement)
  return () => {
    const first = place.firstElementChild
    if (!hadFocus || document.activeElement !== document.body || !(first instanceof HTMLElement)) return
    first.tabIndex = -1
    first.focus()
  }
}

/** Runs `work` after `ms` milliseconds without another call. */
export function debounce(ms: number, work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  return () => {
    clearTimeout(timer)
    timer = setTimeout(work, ms)
  }
}

const ANNOUNCED_MS = 10_000
let fading: ReturnType<typeof setTimeout> | undefined

/** Announces a text to screen readers and shows it for ten seconds. What is outside an open dialog is dimmed and not read. */
export function announce(text: string): void {
  const region = document.querySelector('dialog [data-announce]') ?? document.querySelector('[data-announce]')
  if (!region) return
  clearTimeout(fading)
  region.textContent = text
  fading = setTimeout(() => region.replaceChildren(), ANNOUNCED_MS)
}

/** Closes the open dialog, if any: there is one at a time, and none outlives its view. */
export function closeDialog(): void {
  document.querySelector('dialog')?.close()
}

/** Opens a modal dialog; closing it restores the focus. */
export function dialog(heading: string, ...content: Child[]): HTMLDialogElement {
  closeDialog()
  announce('')
  const opener = document.activeElement
  const close = button('Close', () => made.close(), { class: 'plain' })
  const title = el('h2', { tabindex: -1 }, heading)
  const region = el('p', { class: 'announce', role: 'status', 'data-announce': true })
  const made = el('dialog', el('div', { class: 'head' }, title, close), ...content, region)
  made.setAttribute('aria-label', heading)
  made.addEventListener('close', () => {
    made.remove()
    // Changes made in the dialog may have re-rendered the view.
    ;(currentButton(opener) ?? document.querySelector('h1'))?.focus()
  })
  document.body.append(made)
  made.showModal()
  title.focus()
  return made
}
