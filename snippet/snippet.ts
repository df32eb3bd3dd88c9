import { blockAt, blocks, ELEMENT, made, place, show } from './block.ts'
import { find } from './element.ts'
import { labels } from './labels.ts'
import { logError } from './query.ts'
import { type Options, optionsOf } from './settings.ts'
import { darkSystem, setTheme } from './theme.ts'

/** `window.pullquote`. */
interface Pullquote {
  /**
   * Shows reviews in an element, or in the first match of a selector, as its `data-` attributes and the options say; resolves
   * when done, never rejects.
   */
  render(element: HTMLElement | string, options?: Options): Promise<void>
  /**
   * Starts new tags and containers, and repeats the query of blocks for which it or the language changed; `tag` is a script
   * tag whose file is not named snippet.js.
   */
  refresh(tag?: HTMLScriptElement | null): Promise<void>
  labels: typeof labels
}

declare global {
  interface Window {
    pullquote?: Pullquote
  }
}

/** The tag that loaded this file, whose name may differ. */
const first = document.currentScript as HTMLScriptElement | null
const tags = new Set<HTMLScriptElement>()

/**
 * The script tags of this file, found by name or because they have run. A tag with a non-script type waits for consent, or
 * was replaced by its copy; one with `text/javascript` is found when it runs.
 */
function findTags(): HTMLScriptElement[] {
  for (const tag of document.scripts) if (/^\w{1,11}:.*\/snippet(\.\w+)?\.js/.test(tag.type + tag.src)) tags.add(tag)
  return [...tags]
}

/** The elements that match a page's selector. Reports an invalid selector, or one without a match. */
function select(selector: string): HTMLElement[] {
  let found: HTMLElement[] = []
  try {
    found = find(selector)
  } catch {}
  if (!found[0]) logError(`no target ${selector}`)
  return found
}

/** An element without a tag of its own inherits from the first tag with a key; if it has its own key, only the host. */
async function render(element: HTMLElement | string, given?: Options, tag?: HTMLScriptElement): Promise<void> {
  const anchor = (element as HTMLElement)?.dataset ? (element as HTMLElement) : select(element as string)[0]
  if (!anchor) return
  const all = findTags()
  const source = tag ?? all.find((each) => each.dataset.key) ?? first ?? all[0]
  const block = blockAt(anchor)
  // Read once: a router marks the tags that have run (`data-astro-exec`), which is no new setting.
  const lent = source && optionsOf(source)
  block.current = () => {
    const own = { ...optionsOf(anchor), ...given }
    // The service is next to the file.
    return { host: new URL('.', source?.src || origin), ...((tag || !own.key) && lent), ...own }
  }
  await show(block)
}

/** Headings and containers may be below the tag. */
async function pageIsRead(): Promise<void> {
  // Only "loading" has a g.
  if (/g/.test(document.readyState)) await new Promise((go) => addEventListener('DOMContentLoaded', go))
}

async function scan(own?: HTMLScriptElement | null): Promise<void> {
  // A replaced body still contains its tags.
  const isInPlace = (tag: HTMLScriptElement) => !tag.dataset.target && document.body?.contains(tag)
  // `refresh` may be a listener, which gets an event.
  if (own?.dataset) {
    // In page order.
    findTags()
    tags.add(own)
    // A tag without `async` reserves its space before the page below it is painted.
    if (own.dataset.reserve && isInPlace(own)) place(blockAt(own), own.dataset.reserve)
  }
  await pageIsRead()
  find('html,body').forEach(observe)
  const found = find(`[data-pullquote],${ELEMENT}`).filter((each) => !made.has(each))
  await Promise.all([
    ...findTags().flatMap((tag) => {
      const { key, target } = tag.dataset
      if (target) return select(target).map((element) => render(element, {}, tag))
      // A tag that lends its key to containers shows nothing itself, unless it already has: in a page saved as HTML, what
      // followed it is a container now. A tag with only a host is a library.
      const isFilled = key
        ? blocks.has(tag) || found.every((each) => each.dataset.key)
        : !found[0] && Object.keys(tag.dataset)[0]
      return isFilled && isInPlace(tag) ? render(tag, {}, tag) : []
    }),
    ...[...blocks.keys(), ...found].map(again),
  ])
}

/** Starts a block, or repeats its query. Options given to `render` persist when an element moves or its attributes change. */
function again(anchor: HTMLElement): Promise<void> | boolean {
  if (!anchor.isConnected) return blocks.delete(anchor)
  return blocks.has(anchor) ? show(blockAt(anchor)) : render(anchor)
}

/** Adapts the cards to the page's current colours. */
function followTheme(): void {
  blocks.forEach(({ frame, current }) => {
    if (frame.firstChild) setTheme(frame, (current as () => Options)())
  })
}

/** A changed attribute of `<pullquote-reviews>` may change the query; one of the page's root or body may change the theme. */
const changes = new MutationObserver((records) => {
  for (const each of records) {
    if (blocks.has(each.target as HTMLElement))
      // Not `style` or `class`, which animations set in every frame: the whole page would be read each time. A name of a setting is longer.
      (each.attributeName as string)[5] && again(each.target as HTMLElement)
    else {
      followTheme()
      // Again after the page's transition has ended.
      setTimeout(followTheme, 700)
    }
  }
})
const observe = (element: Element) => changes.observe(element, { attributes: true })

/** For pages rendered by a framework: starts when it is inserted, and repeats the query when an attribute changes. */
class Reviews extends HTMLElement {
  async connectedCallback() {
    if (made.has(this)) return
    // Observing the same element twice has no effect.
    observe(this)
    // In a component's shadow root the page's scan does not find it.
    await pageIsRead()
    // htmx and frameworks set the page's title after inserting content.
    setTimeout(again, 99, this)
  }
}

// Each tag of a page runs this file, but the first copy serves all. An element with the id "pullquote" is not it.
if (!window.pullquote?.render) {
  window.pullquote = { render, refresh: scan, labels }
  // Elements wait a moment, so that the scan below comes first: it queries in page order.
  customElements.define(ELEMENT, Reviews)
  darkSystem.onchange = followTheme
  // After a change of route. The delay is for the page to be drawn. A page's own variable may have that name.
  window.navigation?.addEventListener?.('navigate', () => setTimeout(scan, 700))
  // For the owner of a site whose editor, consent manager or optimizer has taken the tag's attributes or the element away.
  setTimeout(() => first?.closest('[data-key],head') || blocks.size || logError('data-key must be svc_pk_…'), 1e4)
}
// Once the page is complete (the only state with an m), a tag came with something that was swapped in, whose title may follow.
if (/m/.test(document.readyState)) setTimeout(window.pullquote.refresh, 99, first)
else window.pullquote.refresh(first)
