import type { ConsoleExcerpt, ConsoleReview } from '../../src/contract/console.ts'
import { call, errorText } from '../api.ts'
import type { Context } from '../context.ts'
import { announce, button, dialog, el, formatDay, whileDisabled } from '../dom.ts'

/**
 * A button that hides or shows something. Its label changes only once the server has confirmed.
 * @param what tells screen readers the buttons of a list apart
 */
export function toggle(
  labels: { hide: string; show: string },
  what: string,
  hidden: boolean,
  path: string,
  done: (hidden: boolean) => void,
): HTMLButtonElement {
  let isHidden = hidden
  const label = () => (isHidden ? labels.show : labels.hide)
  const change = async () => {
    try {
      await call('PATCH', path, { body: { hidden: !isHidden } })
      isHidden = !isHidden
      made.textContent = label()
      announce(isHidden ? 'Hidden from all searches.' : 'It can appear again.')
      done(isHidden)
    } catch (error) {
      // In another view it would not be clear what failed.
      announce(made.isConnected ? errorText(error) : `${label()}: ${what}. ${errorText(error)}`)
    }
  }
  const attributes = { class: 'link', 'aria-description': what }
  const made = button(label(), () => whileDisabled(made, change), attributes)
  return made
}

/**
 * The actions on a review in every view: hide or show it, and look at its sentences.
 * @param changed gets the number of its sentences that are hidden now
 */
export function reviewActions(
  context: Context,
  { id, hidden, author_name, occurred_at }: Pick<ConsoleReview, 'id' | 'hidden' | 'author_name' | 'occurred_at'>,
  done: (hidden: boolean) => void,
  changed: (hiddenSentences: number) => void,
): HTMLButtonElement[] {
  const whose = `${author_name ?? 'Anonymous'}, ${formatDay(occurred_at)}`
  const labels = { hide: 'Hide the review', show: 'Show it again' }
  const hide = toggle(labels, whose, hidden, context.ofEnv(`reviews/${id}`), done)
  let isOpening = false
  const look = async () => {
    // The second of two clicks would open it again over what was done in the first.
    if (isOpening) return
    isOpening = true
    await sentencesDialog(context, id, changed)
    isOpening = false
  }
  return [hide, button('See sentences', look, { class: 'link', 'aria-description': whose })]
}

/** Shows the excerpts of a review, each of which can be hidden. */
async function sentencesDialog(
  context: Context,
  reviewId: string,
  changed: (hiddenSentences: number) => void,
): Promise<void> {
  try {
    const path = context.ofEnv(`reviews/${reviewId}/excerpts`)
    const { excerpts } = await call<{ excerpts: ConsoleExcerpt[] }>('GET', path, { signal: context.signal })
    let hiddenCount = excerpts.filter(({ hidden }) => hidden).length
    const items = excerpts.map(({ id, text, hidden, verdict }) => {
      const quote = el('blockquote', { class: hidden ? 'is-hidden' : '', dir: 'auto' }, text)
      const hide = toggle({ hide: 'Hide this', show: 'Show again' }, text, hidden, `${path}/${id}`, (isHidden) => {
        quote.className = isHidden ? 'is-hidden' : ''
        hiddenCount += isHidden ? 1 : -1
        changed(hiddenCount)
      })
      return el('li', quote, verdict === 'negative' && el('p', { class: 'soft' }, 'Sounds like a complaint.'), hide)
    })
    dialog(
      'Sentences of this review',
      el(
        'p',
        { class: 'soft' },
        'As they may appear in searches. A hidden sentence appears nowhere as long as its words are in the review.',
      ),
      items.length === 0 && el('p', 'This review is not indexed yet.'),
      el('ul', { class: 'plain-list', role: 'list' }, ...items),
    )
  } catch (error) {
    if (!context.signal.aborted) announce(errorText(error))
  }
}
