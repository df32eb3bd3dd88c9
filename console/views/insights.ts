import type { ConsoleInsights } from '../../src/contract/console.ts'
import { pluralize } from '../../src/contract/counts.ts'
import { floorText, scoreBesideFloor } from '../../src/contract/score-text.ts'
import { call } from '../api.ts'
import type { Context } from '../context.ts'
import { el, field, select, svg } from '../dom.ts'

/** What visitors searched for, what they did not find, and searches per day. */
export async function insightsView(body: HTMLElement, { ofEnv, addressOf, params, signal }: Context): Promise<void> {
  const days = /^(7|30|90)$/.test(params.get('days') ?? '') ? (params.get('days') ?? '30') : '30'
  const asked = await call<ConsoleInsights>('GET', ofEnv(`asked?days=${days}`), { signal })
  const { totals, top, unanswered, by_day, counting, floor } = asked
  const period = select(
    [
      ['7', '7 days'],
      ['30', '30 days'],
      ['90', '90 days'],
    ],
    days,
    (value) => {
      location.hash = addressOf('asked', { days: value })
    },
  )
  body.append(el('div', { class: 'narrow' }, field('Period', period)))
  if (!counting) {
    body.append(el('p', { class: 'notice' }, 'Searches are not counted on this server (PULLQUOTE_INSIGHTS_DAYS=0).'))
  }
  if (totals.searches === 0) {
    const why = `No searches in the last ${days} days. Once the tag is on a page, what visitors search for appears here within a few seconds.`
    if (counting) body.append(el('p', why))
    return
  }
  const link = (query: string) => el('a', { href: addressOf('search', { q: query }), dir: 'auto' }, query)
  const unansweredCount = totals.empty + totals.fallbacks
  body.append(
    el(
      'p',
      `${pluralize(totals.searches, 'search', 'searches')}, ${pluralize(totals.queries, 'different query', 'different queries')}. ${pluralize(unansweredCount, 'search', 'searches')} found nothing.`,
    ),
    plot(by_day, Number(days)),
    el(
      'details',
      el('summary', 'As a table'),
      table(
        'Searches per day',
        ['Day', 'Searches', 'Found nothing'],
        by_day.map(({ day, searches, unanswered }) => [day, searches, unanswered]),
      ),
    ),
    el('div', { class: 'columns' }, topTable(top, link), unansweredTable(unanswered, floor, link)),
  )
}

type Link = (query: string) => HTMLElement

function table(caption: string, heads: string[], rows: (HTMLElement | string | number)[][]): HTMLElement {
  return el(
    'table',
    el('caption', caption),
    el('thead', el('tr', ...heads.map((head) => el('th', { scope: 'col' }, head)))),
    el('tbody', ...rows.map((cells) => el('tr', ...cells.map((cell) => el('td', cell))))),
  )
}

function topTable(top: ConsoleInsights['top'], link: Link): HTMLElement {
  return table(
    'Top searches',
    ['Query', 'Searches'],
    top.map(({ query, searches }) => [link(query), searches]),
  )
}

function unansweredTable(unanswered: ConsoleInsights['unanswered'], floor: number, link: Link): HTMLElement {
  if (unanswered.length === 0) return el('p', 'Every search found something.')
  const rows = unanswered.map(({ query, empty, fallbacks, nearest, near_miss }) => [
    link(query),
    empty + fallbacks,
    nearest === null
      ? '–'
      : `${scoreBesideFloor(nearest, floor)}${near_miss ? ' near miss' : nearest >= floor ? ' found now' : ''}`,
  ])
  return table('Searches that found nothing', ['Query', 'Searches', `Nearest (floor ${floorText(floor)})`], rows)
}

const HEIGHT = 96

/** A bar chart by day: all searches, and in another shade those that found nothing. Tooltips, and a table below, have the numbers. */
function plot(byDay: ConsoleInsights['by_day'], days: number): Element {
  const most = Math.max(1, ...byDay.map(({ searches }) => searches))
  const width = 100 / days
  const bars = byDay.flatMap(({ day, days_ago, searches, unanswered }) => {
    const at = days - 1 - days_ago
    const bar = (count: number, name: string) => {
      const height = (count / most) * HEIGHT
      const title = svg(
        'title',
        {},
        `${day}: ${pluralize(searches, 'search', 'searches')}, ${unanswered} found nothing`,
      )
      const box = { x: at * width + width * 0.1, y: HEIGHT - height, width: width * 0.8, height, class: name }
      return svg('rect', box, title)
    }
    return [bar(searches, 'bar'), ...(unanswered > 0 ? [bar(unanswered, 'bar vain')] : [])]
  })
  return el(
    'figure',
    // The caption and the table say it to screen readers.
    svg('svg', { viewBox: `0 0 100 ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' }, ...bars),
    el(
      'figcaption',
      { class: 'soft' },
      `Searches per day. Busiest day: ${most}. Those in the stronger colour found nothing.`,
    ),
  ) as Element
}
