import { ask } from './query.ts'
import { renderInto } from './render.ts'
import { isOn, type Options, requestOf } from './settings.ts'
import css from './snippet.css'

/** One place on the page where reviews stand: in an element, or after a script tag. */
export interface Block {
  anchor: HTMLElement
  /** Carries the shadow root: a child of the element, or the next sibling of the script tag. */
  host: HTMLElement
  root: ShadowRoot
  /** What the tag, the element and the caller of `render` say now, the later before the earlier. */
  options(): Options
  /** The request and the options whose answer is shown or under way. */
  shown: string
}

/** One line in the console, the only trace of a failure. */
export function complain(text: string): void {
  console.error(`[pullquote] ${text}`)
}

export function createBlock(anchor: HTMLElement): Block {
  const host = document.createElement('pullquote-reviews')
  const root = host.attachShadow({ mode: 'open' })
  try {
    // A constructed sheet needs no `style-src`.
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    root.adoptedStyleSheets = [sheet]
  } catch {}
  return { anchor, host, root, options: () => ({}), shown: '' }
}

/**
 * Puts the host onto the page, with a height that is kept free until the reviews are there: a number of pixels or a CSS
 * length. It is set through the object model, which a policy without inline styles allows.
 */
export function place({ anchor, host }: Block, height: number | string = ''): void {
  if (!host.isConnected) anchor[anchor.localName === 'script' ? 'after' : 'append'](host)
  host.style.minHeight = Number(height) ? `${height}px` : `${height}`
}

/** Asks and renders. Nothing happens when the block already shows what is asked for. */
export async function show(block: Block): Promise<void> {
  const { host, root } = block
  const options = block.options()
  // A secret key is not even sent: whoever reads the page could use it.
  if (!options.key?.startsWith('svc_pk_')) return complain('data-key must be a publishable key, svc_pk_…')
  const request = requestOf(options)
  const wanted = JSON.stringify([request, options])
  if (wanted === block.shown && (host.isConnected || !root.firstChild)) return
  block.shown = wanted
  // The reviews of the last route go at once, their space when the next ones are there.
  place(block, host.offsetHeight || options.reserve)
  root.replaceChildren()
  if (isOn(options.lazy)) await nearWindow(host)
  const answer = await ask(...request)
  // Another run has begun.
  if (wanted !== block.shown) return
  const { response, code, status, message, requestId } = answer
  const isFull = response && response.results.length > 0
  place(block, options.reserve)
  if (isFull) renderInto(root, response, options)
  if (code) complain(`${code} (${status}): ${message} [request id: ${requestId}]`)
  const name = isFull ? 'loaded' : code ? 'error' : 'empty'
  host.dispatchEvent(new CustomEvent(`pullquote:${name}`, { bubbles: true, detail: answer }))
  // An empty block leaves, unless it keeps space free within the window: the page would jump.
  if (!isFull && (!options.reserve || host.getBoundingClientRect().top > innerHeight)) host.remove()
}

function nearWindow(host: Element): Promise<void> {
  return new Promise((resolve) => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return
        observer.disconnect()
        resolve()
      },
      { rootMargin: '400px' },
    )
    observer.observe(host)
  })
}
