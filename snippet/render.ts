import { RATING } from '../src/contract/limits.ts'
import type { QueryResponse, QueryResult } from '../src/contract/query.ts'
import { type Child, element, fill } from './element.ts'
import { labels } from './labels.ts'
import { fitColumns } from './layout.ts'
import { passageAround } from './passage.ts'
import type { Note } from './query.ts'
import { isOn, type Options } from './settings.ts'
import { setTheme } from './theme.ts'

/** How much of a review is shown with the excerpt and around it, in UTF-16 units. */
const BUDGET = 280
/** A longer whole review is first shown as its excerpt with context. */
const LONG = 600

/** Fills the empty frame of a block with the results. Review text is only ever inserted as text nodes. */
export function renderInto(
  frame: HTMLElement,
  { results, badge: hasBadge }: QueryResponse,
  options: Options,
  { note: said, lang: noteLang, min_rating: lowest = 0 }: Note,
): void {
  const { heading, layout, lang: tag } = options as Options & { lang: string }
  // A shared cache may have kept the response from before the settings changed.
  const note = results.every((result) => (result.review.rating ?? RATING.max) >= lowest) && said
  const own = (labels[primaryOf(tag)] ?? '').split('|')
  const [stars, more, newTab] = (labels.en as string).split('|').map((word, at) => own[at] || word) as [
    string,
    string,
    string,
  ]
  const lang = own[0] ? tag : 'en'

  const card = (result: QueryResult) => {
    const { rating, author_name, occurred_at, source, url, metadata } = result.review
    const href = webAddress(url)
    const date = occurred_at && day(occurred_at, tag)
    const time = date && element('time', { part: 'date', dir: 'auto', datetime: occurred_at, lang: tag }, date)
    // A custom source may name its platform in the metadata.
    const platform = source === 'custom' ? metadata.platform : source.replace(/./, (letter) => letter.toUpperCase())
    const link = (child: Child) =>
      href
        ? element(
            'a',
            {
              part: 'link',
              href,
              target: '_blank',
              // In a new tab it has no opener anyway.
              rel: 'nofollow',
              'aria-label': [platform || date, author_name, newTab].join(', '),
            },
            child,
          )
        : child
    return element(
      'li',
      { part: 'card', id: result.review.id },
      rating &&
        element(
          'i',
          { part: 'stars', role: 'img', 'aria-label': stars.replace('#', rating as never), lang },
          '★'.repeat(rating),
          // Another shape, not just another colour.
          element('span', 0, '☆'.repeat(5 - rating)),
        ),
      quotation(result, options, more, lang),
      element(
        'section',
        0,
        picture(result.review, isOn(options.avatars)),
        element(
          'div',
          0,
          // Isolated, so that direction marks in a name end with it.
          author_name && element('bdi', { part: 'author' }, author_name),
          element(
            'small',
            { part: 'meta' },
            // Without a platform to name, the date is the link.
            platform ? time : link(time || (href && '↗')),
            platform && element('data', { part: 'source' }, link(platform)),
          ),
        ),
      ),
    )
  }

  const cards = results.map(card)
  const shape = layout ?? (cards[1] ? 'grid' : 'single')
  // With a role, because Safari does not treat a list without bullets as one.
  const list = element('ul', { part: 'list', role: 'list' }, ...cards)
  const credit = hasBadge === true && element('span', { class: 'badge', lang: 'en' }, 'Reviews by Pullquote')
  fill(
    frame,
    heading && element('h2', { part: 'heading' }, heading),
    list,
    (note || credit) &&
      element('div', 0, note && element('p', { part: 'note', ...(noteLang && { lang: noteLang }) }, note), credit),
  )
  frame.id = shape
  setTheme(frame, options)
  if (shape === 'grid') fitColumns(list)
}

/** Key of `labels`. */
export function primaryOf(language: string): string {
  return language.slice(0, 2).toLowerCase()
}

/** The excerpt in its context, or the whole review; marked if it is the smaller part of what is shown. */
function quotation(
  { excerpt, highlight, review: { text: whole = excerpt } }: QueryResult,
  { mode, context }: Options,
  more: string,
  lang: string,
): Child {
  const isWhole = mode === 'reviews'
  const isAlone = context === 'none'
  const start = highlight?.start
  const isMarked = !isAlone && whole.indexOf(excerpt, start) === start
  const text = isMarked || (isWhole && !isAlone) ? whole : excerpt
  const quote = element('q', { part: 'quote', dir: 'auto' })
  const showUpTo = (budget: number) => {
    const from = isMarked ? start : 0
    const to = isWhole && !isMarked ? 0 : from + excerpt.length
    const passage = passageAround(text, from, to, budget, budget > LONG ? budget : 1)
    const [before, inside, after, following, cutStart, cutEnd] = passage
    const isPart = isMarked && inside.length * 2 < (before + inside + after + following).length
    fill(
      quote,
      cutStart && '… ',
      before,
      isPart ? element('mark', { part: 'mark' }, inside) : inside,
      after,
      following && (isWhole ? following : element('span', { part: 'context' }, following)),
      cutEnd && ' …',
    )
    return cutStart || cutEnd
  }
  const isCut = showUpTo(isWhole ? (whole[LONG] ? LONG : Number.POSITIVE_INFINITY) : context ? 0 : BUDGET)
  const block = element('blockquote', 0, quote)
  if (!isWhole || !isCut) return block
  const button = element('button', { part: 'more', lang }, more)
  block.tabIndex = -1
  button.onclick = () => {
    showUpTo(Number.POSITIVE_INFINITY)
    button.remove()
    // Keeps the text being read where it is.
    block.focus({ preventScroll: true })
  }
  return element('div', 0, block, button)
}

/** The first letters of the first and last word of a name; the picture instead if it is enabled and loads. */
function picture({ author_name, author_avatar_url }: QueryResult['review'], isWanted: boolean): Child {
  const letters = (author_name ?? '').replace(/([\p{L}\p{N}])\S*|./gsu, '$1').replace(/^(.).*(.)$/u, '$1$2')
  const initials = letters && element('span', { part: 'avatar', 'aria-hidden': true }, letters.toUpperCase())
  const src = isWanted && webAddress(author_avatar_url)
  if (!src) return initials
  const image = element('img', { part: 'avatar', alt: '', referrerpolicy: 'no-referrer', src })
  image.onerror = () => image.replaceWith(initials)
  return image
}

/** A UTC day, as the service stores it: exports often have only the day, which must not shift with the reader's time zone. */
function day(moment: string, tag: string): string {
  try {
    return new Date(moment).toLocaleDateString(tag, { dateStyle: 'long', timeZone: 'UTC' })
  } catch {
    return moment.slice(0, 10)
  }
}

/** The URL if a page may link to it, otherwise nothing: no `javascript:`. */
function webAddress(value: string | null): string | false | null {
  return /^https?:/i.test(value as string) && value
}
