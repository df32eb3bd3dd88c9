import { fetchNote, fetchResults } from './query.ts'
import { languageOf, renderInto } from './render.ts'
import { isOn, type Options, parametersOf } from './settings.ts'
import css from './snippet.css'

/** One place on the page where reviews stand: in an element, or after a script tag. */
export interface Block {
  anchor: HTMLElement
  /** Carries the shadow root: the element itself, or a sibling of the script tag. */
  host: HTMLElement
  /** What the reviews are put into. The page cannot reach it. */
  frame: HTMLElement
  /** What the tag, the element and the caller of `render` say now, the later before the earlier. */
  options(): Options
  /** The options and the parameters whose answer is shown or under way. */
  shown: string
}

/** The elements that this file has made. */
export const madeHosts = new WeakSet<Element>()
/** Its own shadow roots: an element that left the page may come back. */
const roots = new WeakMap<Element, ShadowRoot>()

/** One line in the console, the only trace of a failure. */
export function logError(text: unknown): void {
  console.error(`[pullquote] ${text}`)
}

/**
 * The shadow root is the element's own, since a framework that hydrates the page removes children it does not know.
 * Elements that can carry none (a list, a table's cell, a script) get a child, or a sibling.
 */
export function createBlock(anchor: HTMLElement): Block {
  let host = anchor
  let root = roots.get(anchor)
  try {
    root ??= host.attachShadow({ mode: 'open' })
  } catch {
    host = document.createElement('pullquote-reviews')
    madeHosts.add(host)
    root = host.attachShadow({ mode: 'open' })
  }
  try {
    // A constructed sheet needs no `style-src`.
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    root.adoptedStyleSheets = [sheet]
  } catch {}
  const frame = document.createElement('div')
  roots.set(host, root)
  // What the page has in the element stays.
  root.replaceChildren(document.createElement('slot'), frame)
  return { anchor, host, frame, options: () => ({}), shown: '' }
}

/**
 * Puts the host onto the page, with a height that is kept free until the reviews are there: a number of pixels or a CSS
 * length. It is set through the object model, which a policy without inline styles allows.
 */
export function place({ anchor, host, frame }: Block, height: number | string = ''): void {
  if (host !== anchor && !host.isConnected) anchor[anchor.localName === 'script' ? 'after' : 'append'](host)
  frame.style.minHeight = Number(height) ? `${height}px` : height === 'auto' ? '' : `${height}`
}

/**
 * Gives back what `data-reserve="auto"` keeps free by the element's own style, as far as nothing within the window moves:
 * what is below the reviews stays out of it. Without reviews all of it goes, since a hole is worse than a jump.
 */
function release(host: HTMLElement, isFull: boolean | undefined): void {
  const { top, height } = host.getBoundingClientRect()
  host.style.minHeight = isFull && top < innerHeight ? `${Math.min(height, innerHeight - top)}px` : '0'
  addEventListener('resize', () => (host.style.minHeight = '0'), { once: true })
}

/** The values that words may have; others count as absent. */
const ALLOWED_VALUES = {
  mode: 'excerpts, reviews',
  theme: 'light, dark, auto',
  layout: 'grid, list, single',
  context: 'none, sentence',
}

/** Asks and renders. Nothing happens when the block already shows what is asked for. Never rejects. */
export async function show(block: Block): Promise<void> {
  const { host, frame } = block
  const tell = (name: string, detail: object) =>
    host.dispatchEvent(new CustomEvent(`pullquote:${name}`, { bubbles: true, detail }))
  const fail = (problem: { code: string; message: string; status?: number; requestId?: string | null }) => {
    const { code, status, message, requestId } = problem
    logError(requestId ? `${code} (${status}): ${message} [request id: ${requestId}]` : message)
    tell('error', problem)
  }
  try {
    const options = block.options()
    const { key = '', host: address = '', reserve } = options
    const parameters = parametersOf(options)
    const wanted = JSON.stringify([parameters, options])
    if (wanted === block.shown && (host.isConnected || !frame.firstChild)) return
    block.shown = wanted
    // A secret key is not even sent: whoever reads the page could use it.
    if (!key.startsWith('svc_pk_'))
      return fail({ code: 'no_key', message: 'data-key must be a publishable key, svc_pk_…' })
    for (const name of Object.keys(ALLOWED_VALUES) as (keyof typeof ALLOWED_VALUES)[]) {
      const words = ALLOWED_VALUES[name]
      if (options[name] == null || words.split(', ').includes(options[name])) continue
      logError(`data-${name} must be one of ${words}`)
      delete options[name]
    }
    // The reviews of the last route go at once, their space when the next ones are there.
    place(block, frame.offsetHeight || reserve)
    frame.replaceChildren()
    if (isOn(options.lazy)) await nearWindow(host)
    const { note, minRating } = options
    const composing =
      note === 'auto'
        ? fetchNote(address, { key, lang: languageOf(host, options), ...(minRating && { min_rating: `${minRating}` }) })
        : { note }
    let answer = await fetchResults(address, key, parameters)
    if (answer.refused) {
      fail(answer as Parameters<typeof fail>[0])
      for (const path of answer.refused) delete parameters[path.split('.')[0] ?? '']
      answer = await fetchResults(address, key, parameters)
    }
    const composed = await composing
    // Another run has begun.
    if (wanted !== block.shown) return
    const { response } = answer
    const isFull = response && response.results.length > 0
    place(block, reserve)
    if (isFull) renderInto(frame, host, response, options, composed)
    if (reserve === 'auto') release(host, isFull)
    if (answer.code) fail(answer as Parameters<typeof fail>[0])
    else tell(isFull ? 'loaded' : 'empty', answer)
    // An empty block leaves, unless it keeps space free within the window: the page would jump.
    if (!isFull && (!reserve || reserve === 'auto' || host.getBoundingClientRect().top > innerHeight)) {
      place(block)
      if (host !== block.anchor) host.remove()
    }
  } catch (error) {
    frame.replaceChildren()
    fail({ code: 'failed', message: `${error}` })
  }
}

/** Resolves when an element comes near the window, or the page is printed. */
function nearWindow(host: Element): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      observer.disconnect()
      resolve()
    }
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && go(), {
      rootMargin: '400px',
    })
    observer.observe(host)
    matchMedia('print').addEventListener('change', go)
  })
}
