import type { ConsoleHealth } from '../../src/contract/console.ts'
import { pluralize } from '../../src/contract/counts.ts'
import { call } from '../api.ts'
import type { Context } from '../context.ts'
import { announce, button, el, type Fact, factList } from '../dom.ts'
import { CHECKS } from './health-words.ts'

const MARKS = { ok: 'OK', warning: 'needs attention', failure: 'not working' } as const

/** The queue, the quota, and for the operator the findings of `pullquote doctor`. */
export async function healthView(body: HTMLElement, { ofProject, signal, reload }: Context): Promise<void> {
  const health = await call<ConsoleHealth>('GET', ofProject('/health'), { signal })
  const { queue, quota, reviews, search_memory: memory, findings } = health
  const shown = (count: number) => count.toLocaleString('en')
  const megabytes = (bytes: number) => `${shown(Math.round(bytes / 1e6))} MB`
  const used = el('progress', { max: quota.limit, value: quota.used, 'aria-label': 'Searches used this month' })
  const rows: Fact[] = [
    [
      'Reviews',
      `${pluralize(reviews.live + reviews.test, 'review')} of ${shown(reviews.limit)} (${shown(reviews.live)} live, ${shown(reviews.test)} test)`,
    ],
    [
      'Indexing',
      queue.waiting === 0
        ? 'everything is indexed'
        : `${pluralize(queue.waiting, 'review')} ${queue.waiting === 1 ? 'is' : 'are'} waiting to be indexed`,
    ],
    [
      'Searches this month',
      `${shown(quota.used)} of ${shown(quota.limit)}; repeats come from the cache and do not count`,
      used,
    ],
  ]
  if (queue.set_aside > 0) {
    const many = queue.set_aside > 1
    rows.push([
      'Could not be indexed',
      `${pluralize(queue.set_aside, 'review')}, which ${many ? 'do' : 'does'} not appear anywhere. Whoever runs the server can see why and retry ${many ? 'them' : 'it'}: `,
      el('code', 'pullquote reviews failed'),
    ])
  }
  if (memory) {
    rows.push([
      'Search memory',
      `${megabytes(memory.bytes)} of ${megabytes(memory.budget)}, ${pluralize(memory.excerpts, 'excerpt')}`,
    ])
  }
  body.append(factList(rows))
  if (findings) {
    body.append(
      el('h2', 'The server'),
      el(
        'ul',
        { class: 'findings plain-list', role: 'list' },
        ...findings.map(({ check, status, message, hint }) => {
          const [name = check, meaning] = CHECKS[check] ?? []
          return el(
            'li',
            { class: status },
            el('b', `${name}: ${MARKS[status]}`),
            status !== 'ok' && el('span', meaning),
            el('span', { class: status === 'ok' ? '' : 'soft' }, message),
            hint && el('span', { class: 'soft' }, `For the developer: ${hint}`),
          )
        }),
      ),
    )
  }
  const again = async () => {
    await reload()
    // The same page as before says nothing, and a problem says itself.
    if (!document.querySelector('main [role=alert]')) announce('Checked again.')
  }
  body.append(el('div', { class: 'actions' }, button('Check again', again)))
}
