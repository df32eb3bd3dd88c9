import { QUERY_LIMIT } from '../src/contract/limits.ts'
import { element, fill } from './element.ts'
import { type Answer, fetchLabels, fetchNote, fetchResults, logError } from './query.ts'
import { primaryOf, renderInto } from './render.ts'
import { isOn, type Options, parametersOf } from './settings.ts'
import css from './snippet.css'

/** A place on the page that shows reviews: in an element, or after a script tag. */
export interface Block {
  anchor: HTMLElement
  /** Has the shadow root: the anchor itself, or a child or sibling of it. */
  carrier: HTMLElement
  /** Container of the reviews, inaccessible to the page. */
  frame: HTMLElement
  /** The current options of the tag, the element and the caller of `render`, later ones first. */
  current?: () => Options
  /** The options and parameters whose results are shown or being fetched. */
  shown?: string
  /** Resolves when everything it requested has arrived. Never rejects. */
  asked?: Promise<unknown>
  /** The address of the page for which it was filled. */
  page?: string
}

export const ELEMENT = 'pullquote-reviews'
export const blocks = new Map<HTMLElement, Block>()
/** The elements and shadow roots created by this file: an element that left the page may come back. */
export const made = new WeakSet<Node>()

/**
 * The element itself gets the shadow root, since a framework that hydrates the page removes unknown children. Elements that
 * cannot have one (a list, a table cell, a script) get a child, or a sibling.
 */
export function blockAt(anchor: HTMLElement): Block {
  let block = blocks.get(anchor)
  if (block) return block
  let carrier = anchor
  let root = anchor.shadowRoot as ShadowRoot
  try {
    if (!made.has(root)) root = anchor.attachShadow({ mode: 'open' })
  } catch {
    carrier = element(ELEMENT)
    root = carrier.attachShadow({ mode: 'open' })
    made.add(carrier)
  }
  made.add(root)
  const frame = element('div')
  // Keeps the element's own content.
  fill(root, element('slot'), frame)
  // A constructed sheet needs no `style-src`.
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets = [sheet]
  block = { anchor, carrier, frame }
  blocks.set(anchor, block)
  return block
}

/**
 * Puts the block on the page and reserves a height until the reviews are there: a number of pixels or a CSS length. It is set
 * through the object model, which a policy without inline styles allows.
 */
export function place({ anchor, carrier, frame }: Block, height: number | string = ''): void {
  // Elements with a `src` do not render children: a script, a picture.
  if (carrier !== anchor && !carrier.isConnected) anchor['src' in anchor ? 'after' : 'append'](carrier)
  frame.style.minHeight = (height as number) > 0 ? `${height}px` : (height as string)
  // Themes hide what is empty, which a shadow root does not fill: a space does. Where it does not help, something else hides the block.
  if (!frame.offsetParent) carrier.append(' ')
  if (!frame.offsetParent) (carrier.lastChild as ChildNode).remove()
}

/** Allowed values of some options; others count as absent. */
const ALLOWED_VALUES = {
  mode: 'excerpts or reviews',
  theme: 'light or dark or auto',
  layout: 'grid or list or single',
  context: 'none or sentence',
}

/**
 * First letters of the parameters that can be dropped: fallback, min_rating, source, since. Without its metadata a block
 * would show the reviews of other products.
 */
const OPTIONAL = /^(f|mi|s)/

/** Queries and renders. Does nothing when the block already shows the result. Never rejects. */
export async function show(block: Block, _?: unknown): Promise<void> {
  const { anchor, carrier, frame } = block
  let reserve: Options['reserve']
  const tell = (detail: Answer, name?: string) => {
    const { code, message, requestId } = detail
    if (code) logError(requestId ? `${code}: ${message} [id: ${requestId}]` : message)
    carrier.dispatchEvent(new CustomEvent(`pullquote:${code ? 'error' : name}`, { detail, bubbles: true }))
  }
  /** Reports the outcome, and releases space that the reviews do not use. */
  const finish = (answer: Answer, isFull?: unknown) => {
    const { top, height } = carrier.getBoundingClientRect()
    if (reserve === 'auto') {
      // The height that the element's own style reserves is released as far as nothing within the window moves: content below
      // the reviews stays outside it, even while a phone hides its address bar, which does not change `vh`. Without reviews
      // all of it is released, since a hole is worse than a jump. A negative height counts as 0.
      carrier.style.minHeight = isFull ? `min(100vh - ${top}px, ${height}px)` : (0 as never)
      reserve = isFull as string
    }
    tell(answer, isFull ? 'loaded' : 'empty')
    // An empty block is removed, unless it reserves space within the window: the page would jump.
    if (!isFull && (!reserve || top > innerHeight)) {
      place(block)
      if (carrier !== anchor) carrier.remove()
    }
  }
  try {
    const options = (block.current as () => Options)()
    const { note } = options
    // As a string it is the key, without anything pasted around it.
    const key = options.key?.match(/svc_pk_\w+/) as unknown as string
    reserve = options.reserve
    const parameters = parametersOf(options)
    // The language of labels and dates, which a page may change; that of the quotations is unknown.
    const lang = (
      options.lang ||
      (anchor.closest<HTMLElement>('[lang]') ?? document.documentElement).lang ||
      navigator.language
    ).replace('_', '-')
    options.lang = lang
    const wanted = JSON.stringify([parameters, options])
    if (wanted === block.shown && (carrier.isConnected || !frame.firstChild)) return
    block.shown = wanted
    block.page = `${location}`
    // The reviews of the previous route are removed at once, their space only when the next ones arrive. Events are
    // dispatched only on the page.
    place(block, frame.offsetHeight || reserve)
    frame.replaceChildren()
    // A secret key is not even sent: anyone who reads the page could use it.
    if (!key) return finish({ code: 'no_key', message: 'data-key must be svc_pk_…' })
    for (const [name, words] of Object.entries(ALLOWED_VALUES) as [keyof typeof ALLOWED_VALUES, string][]) {
      if (options[name] == null || words.split(' ').includes(options[name])) continue
      logError(`data-${name} must be ${words}`)
      delete options[name]
    }
    if (isOn(options.lazy)) {
      // Until the element comes near the window.
      await new Promise((go) => {
        const watch: IntersectionObserverCallback = (entries) =>
          (entries.pop() as IntersectionObserverEntry).isIntersecting && go(0)
        new IntersectionObserver(watch, { rootMargin: '400px' }).observe(carrier)
      })
    }
    // Blocks whose reviews are skipped here; copies of this one, as carousels make them, show the same.
    const others = [...blocks.values()].filter((each) => each.carrier.isConnected && each.shown !== wanted)
    let free = (parameters.limit as number) || QUERY_LIMIT.default
    if (others[0]) parameters.limit = QUERY_LIMIT.max
    // If it is none this throws here, before other blocks wait for this one.
    const host = new URL(options.host as URL)
    const ask = async () => {
      let answer = await fetchResults(host, key, parameters)
      const { refused } = answer
      if (refused?.every((path) => OPTIONAL.test(path))) {
        tell(answer)
        for (const path of refused) delete parameters[path.split('.')[0] as string]
        answer = await fetchResults(host, key, parameters)
      }
      // Nothing fits ("none", "fallback"): with the description, which on many sites is the same on every page.
      if (wanted === block.shown && options.query !== parameters.q && /[oa]/.test(answer.response?.match as string)) {
        parameters.q = options.query
        answer = await fetchResults(host, key, parameters)
      }
      return answer
    }
    const asking = Promise.all([
      ask(),
      note === 'auto' ? fetchNote(host, { key, lang, min_rating: parameters.min_rating ?? 1 }) : { note },
      fetchLabels(host, primaryOf(lang)),
    ])
    block.asked = asking
    // Blocks that started earlier are rendered first: their order decides, not the network.
    await Promise.all(others.map((each) => each.asked))
    const [answer, composed] = await asking
    // Another run has started.
    if (wanted !== block.shown) return
    const response = answer.response && {
      ...answer.response,
      results: answer.response.results.filter(
        (each) =>
          free > 0 &&
          // Not displayed: in an inactive tab, or the variant for another width.
          (!frame.offsetParent ||
            !others.some(
              (other) =>
                (other.frame.parentNode as ShadowRoot).getElementById(each.review.id)?.offsetHeight &&
                // One that a layout has kept through a change of route gives way, and asks again.
                // biome-ignore lint/suspicious: some bytes of the bundle
                (other.page == (location as never) || !show(other, (other.shown = ''))),
            )) &&
          free--,
      ),
    }
    const isFull = response?.results[0]
    place(block, reserve)
    if (isFull) renderInto(frame, response, options, composed)
    finish({ ...answer, response }, isFull)
  } catch (error) {
    finish({ code: 'failed', message: `data-host: ${error}` })
  }
}
