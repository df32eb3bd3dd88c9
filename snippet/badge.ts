import { logError } from './query.ts'

/**
 * Tells the console when an element around the block, the body aside, cuts the badge off; that a page hides the whole
 * block is its right. The look of the badge itself is out of a page's reach: it has no part, `all: initial` takes
 * nothing from the page, and `!important` within a shadow root goes before a page's own.
 */
export function watchBadge(badge: Element, block: Element): void {
  setTimeout(() => {
    const { bottom } = badge.getBoundingClientRect()
    for (let around: Element | null = block; around && around !== document.body; around = around.parentElement) {
      if (/hid|cl/.test(getComputedStyle(around).overflow) && bottom > around.getBoundingClientRect().bottom + 1) {
        return logError('the badge is hidden by CSS')
      }
    }
  }, 1000)
}
