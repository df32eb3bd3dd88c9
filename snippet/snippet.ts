import { type Block, createBlock, place, show } from './block.ts'
import { labels } from './labels.ts'
import { type Options, optionsOf } from './settings.ts'

/** `window.pullquote`. */
interface Pullquote {
  /** Shows reviews in an element, as its `data-` attributes and the options say; resolves when it is done, never rejects. */
  render(element: HTMLElement, options?: Options): Promise<void>
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

/** Without a tag of its own, an element takes what the first tag with a key says; with a key of its own, the address alone. */
function render(anchor: HTMLElement, given: Options = {}, tag?: HTMLScriptElement): Promise<void> {
  const all = findTags()
  const source = tag ?? all.find((each) => each.dataset.key) ?? all[0]
  // The service is beside the file.
  const host = new URL('.', source?.src || location.href).href
  const hasKey = !tag && (given.key || anchor.dataset.key)
  const block = blockAt(anchor)
  block.options = () => ({ host, ...(source && !hasKey && optionsOf(source)), ...optionsOf(anchor), ...given })
  return show(block)
}

async function scan(own?: HTMLScriptElement): Promise<void> {
  const isInPlace = (tag: HTMLScriptElement) => !tag.dataset.target && document.body?.contains(tag)
  if (own) {
    tags.add(own)
    // A tag without `async` keeps its space before the page below it is painted.
    if (own.dataset.reserve && isInPlace(own)) place(blockAt(own), own.dataset.reserve)
  }
  // Headings and containers may stand below the tag.
  if (document.readyState === 'loading') await new Promise((go) => document.addEventListener('DOMContentLoaded', go))
  const select = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)]
  const containers = select('[data-pullquote]')
  const runs: Promise<void>[] = []
  for (const tag of findTags()) {
    const { key, reserve, target } = tag.dataset
    if (!key) continue
    if (target) runs.push(...select(target).map((element) => render(element, {}, tag)))
    // A tag that lends its key to containers shows nothing itself.
    else if (isInPlace(tag) && (reserve || containers.every((each) => each.dataset.key)))
      runs.push(render(tag, {}, tag))
  }
  for (const container of containers) if (!blocks.has(container)) runs.push(render(container))
  await Promise.all(runs)
}

async function refresh(): Promise<void> {
  await Promise.all([...blocks].map(([anchor, block]) => (anchor.isConnected ? show(block) : blocks.delete(anchor))))
  await scan()
}

// Each tag of a page runs this file: the first copy serves them all. An element with the id "pullquote" is not it.
if (!window.pullquote?.render) window.pullquote = { render, refresh, scan, labels }
window.pullquote.scan(document.currentScript as HTMLScriptElement)
