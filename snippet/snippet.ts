import { blockAt, blocks, ELEMENT, made, place, show } from './block.ts'
import { labels } from './labels.ts'
import { logError } from './query.ts'
import { type Options, optionsOf } from './settings.ts'
import { darkSystem, setTheme } from './theme.ts'

/** `window.pullquote`. */
interface Pullquote {
  /**
   * Shows reviews in an element, or the first that a selector finds, as its `data-` attributes and the options say;
   * resolves when it is done, never rejects.
   */
  render(element: HTMLElement | string, options?: Options): Promise<void>
  /** After a change of route: starts new tags and containers, and asks again where a block's query is another now. */
  refresh(): Promise<void>
  /** Starts what is new on the page; `tag` is a script tag whose file has another name than snippet.js. */
  scan(tag?: HTMLScriptElement | null): Promise<void>
  labels: typeof labels
}

declare global {
  interface Window {
    pullquote?: Pullquote
  }
}

/** The tag that brought this file; another file may have its name. */
const first = document.currentScript as HTMLScriptElement | null
const tags = new Set<HTMLScriptElement>()

/**
 * The script tags of this file, found by its name or because they have run. One of a type that is no script's waits for a
 * consent, or was replaced by its copy; one that says `text/javascript` is found when it runs.
 */
function findTags(): HTMLScriptElement[] {
  for (const tag of document.scripts) if (/^\w+:.*\/snippet(\.\w+)?\.js\b/.test(tag.type + tag.src)) tags.add(tag)
  return [...tags]
}

/** The elements that a page's selector finds. One that is none, or finds nothing, is told. */
function select(selector: string): HTMLElement[] {
  let found: HTMLElement[] = []
  try {
    found = [...document.querySelectorAll<HTMLElement>(selector)]
  } catch {}
  if (!found[0]) logError(`"${selector}" matches no element`)
  return found
}

/** Without a tag of its own, an element takes what the first tag with a key says; with a key of its own, the address alone. */
async function render(element: HTMLElement | string, given?: Options, tag?: HTMLScriptElement): Promise<void> {
  const anchor = (element as HTMLElement)?.dataset ? (element as HTMLElement) : select(element as string)[0]
  if (!anchor) return
  const all = findTags()
  const source = tag ?? all.find((each) => each.dataset.key) ?? first ?? all[0]
  const block = blockAt(anchor)
  block.current = () => {
    const own = { ...optionsOf(anchor), ...given }
    // The service is beside the file.
    return {
      host: new URL('.', source?.src || document.baseURI),
      ...(source && (tag || !own.key) && optionsOf(source)),
      ...own,
    }
  }
  await show(block)
}

/** Headings and containers may stand below the tag. */
async function pageIsRead(): Promise<void> {
  if (document.readyState === 'loading') await new Promise((go) => addEventListener('DOMContentLoaded', go))
}

async function scan(own?: HTMLScriptElement | null): Promise<void> {
  // A body that was replaced is still around the tags it had.
  const isInPlace = (tag: HTMLScriptElement) => !tag.dataset.target && document.body?.contains(tag)
  if (own) {
    // In the order of the page.
    findTags()
    tags.add(own)
    // A tag without `async` keeps its space before the page below it is painted.
    if (own.dataset.reserve && isInPlace(own)) place(blockAt(own), own.dataset.reserve)
  }
  await pageIsRead()
  document.querySelectorAll('html, body').forEach(observe)
  const found = [...document.querySelectorAll<HTMLElement>(`[data-pullquote], ${ELEMENT}`)].filter(
    (each) => !made.has(each),
  )
  await Promise.all([
    ...findTags().flatMap((tag) => {
      const { key, target } = tag.dataset
      if (target) return select(target).map((element) => render(element, {}, tag))
      // A tag that lends its key to containers shows nothing itself, unless it has taken its place: what stood behind it in
      // a page kept as HTML is a container now. One with nothing but an address is a library.
      const isFilled = key
        ? blocks.has(tag) || found.every((each) => each.dataset.key)
        : !found[0] && Object.keys(tag.dataset)[0]
      return isFilled && isInPlace(tag) ? render(tag, {}, tag) : []
    }),
    ...found.map((container) => blocks.has(container) || render(container)),
  ])
}

async function refresh(): Promise<void> {
  await Promise.all([...blocks].map(([anchor, block]) => (anchor.isConnected ? show(block) : blocks.delete(anchor))))
  await scan()
}

/** What `render` was told for an element stays when it moves or its attributes change. */
function again(anchor: HTMLElement): void {
  if (!anchor.isConnected) return
  blocks.has(anchor) ? show(blockAt(anchor)) : render(anchor)
}

/** The cards take the page's colours as they are now. */
function followTheme(): void {
  blocks.forEach(({ frame, current }) => {
    if (frame.firstChild) setTheme(frame, (current as () => Options)())
  })
}

/** Another attribute of a `<pullquote-reviews>` asks for other reviews; one of the page's root or body may be another theme. */
const changes = new MutationObserver((records) => {
  for (const { target } of records) {
    if (target instanceof Reviews) again(target)
    else {
      followTheme()
      // Once more when a transition of the page is over.
      setTimeout(followTheme, 700)
    }
  }
})
const observe = (element: Element) => changes.observe(element, { attributes: true })

/** For pages that a framework draws: begins when it is put onto the page, and asks again when an attribute changes. */
class Reviews extends HTMLElement {
  async connectedCallback() {
    if (made.has(this)) return
    // A second call for the same element and observer adds nothing.
    observe(this)
    // In the shadow root of a component no search of the page finds it.
    await pageIsRead()
    // htmx and the heads of frameworks set the page's title after what they put in.
    setTimeout(again, 99, this)
  }
}

// Each tag of a page runs this file: the first copy serves them all. An element with the id "pullquote" is not it.
if (!window.pullquote?.render) {
  window.pullquote = { render, refresh, scan, labels }
  darkSystem.onchange = followTheme
}
window.pullquote.scan(first)
// After the scan, which asks in the order of the page.
customElements.get(ELEMENT) || customElements.define(ELEMENT, Reviews)
