import { type Block, createBlock, logError, madeHosts, place, show } from './block.ts'
import { labels } from './labels.ts'
import { setTheme } from './render.ts'
import { type Options, optionsOf } from './settings.ts'
import { whenThemeChanges } from './theme.ts'

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
  scan(tag?: HTMLScriptElement): Promise<void>
  labels: typeof labels
}

declare global {
  interface Window {
    pullquote?: Pullquote
  }
}

const ELEMENT = 'pullquote-reviews'
const blocks = new Map<HTMLElement, Block>()
const tags = new Set<HTMLScriptElement>()

/** The script tags of this file, found by its name or because they have run. */
function findTags(): HTMLScriptElement[] {
  for (const tag of document.scripts) if (/\/snippet(\.\w+)?\.js\b/.test(tag.src)) tags.add(tag)
  return [...tags]
}

function blockAt(anchor: HTMLElement): Block {
  const block = blocks.get(anchor) ?? createBlock(anchor)
  blocks.set(anchor, block)
  return block
}

/** The elements that a page's selector finds. One that is none, or finds nothing, is told. */
function select(selector: string): HTMLElement[] {
  let found: HTMLElement[] = []
  try {
    found = [...document.querySelectorAll<HTMLElement>(selector)]
  } catch {}
  if (!found[0]) logError(`"${selector}" matches no element of this page`)
  return found
}

/** Without a tag of its own, an element takes what the first tag with a key says; with a key of its own, the address alone. */
async function render(element: HTMLElement | string, given: Options = {}, tag?: HTMLScriptElement): Promise<void> {
  const anchor = typeof element === 'string' ? select(element)[0] : element
  if (!(anchor instanceof HTMLElement)) {
    if (typeof element !== 'string') logError('render needs an element, or a selector')
    return
  }
  const all = findTags()
  const source = tag ?? all.find((each) => each.dataset.key) ?? all[0]
  // The service is beside the file.
  const host = new URL('.', source?.src || location.href).href
  const block = blockAt(anchor)
  block.options = () => {
    const hasKey = !tag && (given?.key || anchor.dataset.key)
    return { host, ...(source && !hasKey && optionsOf(source)), ...optionsOf(anchor), ...given }
  }
  await show(block)
}

function containers(): HTMLElement[] {
  const all = document.querySelectorAll<HTMLElement>(`[data-pullquote], ${ELEMENT}`)
  return [...all].filter((each) => !madeHosts.has(each))
}

/** Headings and containers may stand below the tag. */
async function pageIsRead(): Promise<void> {
  if (document.readyState === 'loading') await new Promise((go) => document.addEventListener('DOMContentLoaded', go))
}

async function scan(own?: HTMLScriptElement): Promise<void> {
  const isInPlace = (tag: HTMLScriptElement) => !tag.dataset.target && document.body?.contains(tag)
  if (own) {
    tags.add(own)
    // A tag without `async` keeps its space before the page below it is painted.
    if (own.dataset.reserve && isInPlace(own)) place(blockAt(own), own.dataset.reserve)
  }
  await pageIsRead()
  const found = containers()
  const runs: Promise<void>[] = []
  for (const tag of findTags()) {
    const { key, reserve, target } = tag.dataset
    if (target) runs.push(...select(target).map((element) => render(element, {}, tag)))
    // A tag that lends its key to containers shows nothing itself, and one with nothing but an address is a library.
    else if (isInPlace(tag) && Object.keys(tag.dataset)[0] && (reserve || found.every((each) => each.dataset.key)))
      if (key || !found[0]) runs.push(render(tag, {}, tag))
  }
  for (const container of found) if (!blocks.has(container)) runs.push(render(container))
  await Promise.all(runs)
}

async function refresh(): Promise<void> {
  await Promise.all([...blocks].map(([anchor, block]) => (anchor.isConnected ? show(block) : blocks.delete(anchor))))
  await scan()
}

const changes = new MutationObserver((records) => {
  for (const { target } of records) if (target.isConnected) render(target as HTMLElement)
})

/** For pages that a framework draws: begins when it is put onto the page, and asks again when an attribute changes. */
class Reviews extends HTMLElement {
  async connectedCallback() {
    if (madeHosts.has(this)) return
    // A second call for the same element and observer adds nothing.
    changes.observe(this, { attributes: true })
    // In the shadow root of a component no search of the page finds it.
    await pageIsRead()
    if (this.isConnected) render(this)
  }
}

// Each tag of a page runs this file: the first copy serves them all. An element with the id "pullquote" is not it.
if (!window.pullquote?.render) {
  window.pullquote = { render, refresh, scan, labels }
  whenThemeChanges(() => {
    for (const { host, frame, options } of blocks.values()) if (frame.firstChild) setTheme(frame, host, options())
  })
  customElements.get(ELEMENT) || customElements.define(ELEMENT, Reviews)
}
window.pullquote.scan(document.currentScript as HTMLScriptElement)
