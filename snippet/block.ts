import { QUERY_LIMIT } from '../src/contract/limits.ts'
import { element } from './element.ts'
import { type Answer, fetchLabels, fetchNote, fetchResults, logError } from './query.ts'
import { primaryOf, renderInto } from './render.ts'
import { isOn, type Options, parametersOf } from './settings.ts'
import css from './snippet.css'

/** One place on the page where reviews stand: in an element, or after a script tag. */
export interface Block {
  anchor: HTMLElement
  /** Carries the shadow root: the anchor itself, or a child or sibling of it. */
  carrier: HTMLElement
  /** What the reviews are put into. The page cannot reach it. */
  frame: HTMLElement
  /** What the tag, the element and the caller of `render` say now, the later before the earlier. */
  current?: () => Options
  /** The options and the parameters whose answer is shown or under way. */
  shown?: string
  /** Resolves when all that it has asked for itself is there. */
  asked?: Promise<unknown>
}

export const ELEMENT = 'pullquote-reviews'
export const blocks = new Map<HTMLElement, Block>()
/** The elements and shadow roots that this file has made: an element that left the page may come back. */
export const made = new WeakSet<Node>()

/**
 * The shadow root is the element's own, since a framework that hydrates the page removes children it does not know.
 * Elements that can carry none (a list, a table's cell, a script) get a child, or a sibling.
 */
function createBlock(anchor: HTMLElement): Block {
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
  // What the page has in the element stays.
  root.replaceChildren(element('slot'), frame)
  try {
    // A constructed sheet needs no `style-src`.
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    root.adoptedStyleSheets = [sheet]
  } catch {
    // Safari before 16.4
    root.append(element('style', {}, css))
  }
  const block: Block = { anchor, carrier, frame }
  blocks.set(anchor, block)
  return block
}

export function blockAt(anchor: HTMLElement): Block {
  return blocks.get(anchor) ?? createBlock(anchor)
}

/**
 * Puts the block onto the page, with a height that is kept free until the reviews are there: a number of pixels or a CSS
 * length. It is set through the object model, which a policy without inline styles allows.
 */
export function place({ anchor, carrier, frame }: Block, height: number | string = ''): void {
  // What has an address of its own shows no children: a script, a picture.
  if (carrier !== anchor && !carrier.isConnected) anchor['src' in anchor ? 'after' : 'append'](carrier)
  frame.style.minHeight = (height as number) > 0 ? `${height}px` : (height as string)
}

/** The values that words may have; others count as absent. */
const ALLOWED_VALUES = {
  mode: 'excerpts, reviews',
  theme: 'light, dark, auto',
  layout: 'grid, list, single',
  context: 'none, sentence',
}

/**
 * How the names begin of what a block can do without: fallback, min_rating, source, since. Without its metadata it would show
 * the reviews of other products.
 */
const OPTIONAL = /^(f|mi|s)/

/** Asks and renders. Nothing happens when the block already shows what is asked for. Never rejects. */
export async function show(block: Block): Promise<void> {
  const { anchor, carrier, frame } = block
  let reserve: Options['reserve']
  const tell = (detail: Answer, name?: string) => {
    const { code, message, requestId, status } = detail
    if (code) logError(requestId ? `${code} (${status}): ${message} [request id: ${requestId}]` : message)
    carrier.dispatchEvent(new CustomEvent(`pullquote:${code ? 'error' : name}`, { bubbles: true, detail }))
  }
  /** Tells what came of it, and gives back the place that the reviews do not take. */
  const finish = (answer: Answer, isFull?: unknown) => {
    if (!isFull) frame.replaceChildren()
    const { top, height } = carrier.getBoundingClientRect()
    if (reserve === 'auto') {
      // What the element's own style keeps free is given back as far as nothing within the window moves: what is below the
      // reviews stays out of it, also while a phone hides its address bar, which changes no `vh`. Without reviews all of it
      // goes, since a hole is worse than a jump. Less than nothing counts as nothing.
      carrier.style.minHeight = isFull ? `min(100vh - ${top}px, ${height}px)` : '0'
      reserve = isFull as string
    }
    tell(answer, isFull ? 'loaded' : 'empty')
    // An empty block leaves, unless it keeps space free within the window: the page would jump.
    if (!isFull && (!reserve || top > innerHeight)) {
      place(block)
      if (carrier !== anchor) carrier.remove()
    }
  }
  try {
    const options = (block.current as () => Options)()
    const { note } = options
    // As text it is the key, without what may have been pasted around it.
    const key = options.key?.match(/svc_pk_\w+/) as unknown as string
    reserve = options.reserve
    const parameters = parametersOf(options)
    const wanted = JSON.stringify([parameters, options])
    if (wanted === block.shown && (carrier.isConnected || !frame.firstChild)) return
    block.shown = wanted
    // The reviews of the last route go at once, their space when the next ones are there. Events are heard from the page alone.
    place(block, frame.offsetHeight || reserve)
    frame.replaceChildren()
    // A secret key is not even sent: whoever reads the page could use it.
    if (!key) return finish({ code: 'no_key', message: 'data-key must be svc_pk_…' })
    for (const [name, words] of Object.entries(ALLOWED_VALUES) as [keyof typeof ALLOWED_VALUES, string][]) {
      if (options[name] == null || words.split(', ').includes(options[name])) continue
      logError(`data-${name} must be one of ${words}`)
      delete options[name]
    }
    if (isOn(options.lazy)) {
      // Until the element comes near the window, or the page is printed.
      await new Promise((go) => {
        const watch: IntersectionObserverCallback = (entries, observer) =>
          entries.pop()?.isIntersecting && go(observer.unobserve(carrier))
        new IntersectionObserver(watch, { rootMargin: '400px' }).observe(carrier)
        matchMedia('print').onchange = go
      })
    }
    // Blocks whose reviews are left out here; copies of this one, as carousels make them, show the same.
    const others = [...blocks.values()].filter((each) => each.carrier.isConnected && each.shown !== wanted)
    const limit = (parameters.limit as number) || QUERY_LIMIT.default
    if (others[0]) parameters.limit = QUERY_LIMIT.max
    const lang = languageOf(carrier, options)
    options.lang = lang
    const host = options.host as URL
    // Before the others, which would reject unheard where the host is no address.
    const asking = fetchResults(host, key, parameters)
    const learning = fetchLabels(host, primaryOf(lang))
    const composing =
      note === 'auto' ? fetchNote(host, { key, lang, min_rating: parameters.min_rating ?? 1 }) : { note }
    block.asked = Promise.all([asking, learning, composing])
    // Those that began before this one are shown first: their order decides, not the network.
    await Promise.all([...others, block].map((each) => each.asked))
    let answer = await asking
    const { refused } = answer
    if (refused?.[0] && refused.every((path) => OPTIONAL.test(path))) {
      tell(answer)
      for (const path of refused) delete parameters[path.split('.')[0] as string]
      answer = await fetchResults(host, key, parameters)
    }
    const composed = await composing
    // Another run has begun.
    if (wanted !== block.shown) return
    const response = answer.response && {
      ...answer.response,
      results: answer.response.results
        .filter(
          (each) =>
            // Not displayed: on a closed tab, or the one of two for another width.
            !frame.offsetParent ||
            !others.some(
              (other) => (other.frame.getRootNode() as ShadowRoot).getElementById(each.review.id)?.offsetHeight,
            ),
        )
        .slice(0, limit),
    }
    const isFull = response?.results[0]
    place(block, reserve)
    if (isFull) renderInto(frame, carrier, response, options, composed)
    finish({ ...answer, response }, isFull)
  } catch (error) {
    finish({ code: 'failed', message: `data-host: ${error}` })
  }
}

/** The language of labels and dates; quotations have their own, which is not known. */
function languageOf(carrier: HTMLElement, { lang }: Options): string {
  return (
    lang ||
    carrier.closest<HTMLElement>('[lang]')?.lang ||
    document.documentElement.lang ||
    navigator.language
  ).replace('_', '-')
}
