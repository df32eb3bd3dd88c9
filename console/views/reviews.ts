import { pluralize } from '../../src/contract/counts.ts'
import { SOURCES } from '../../src/contract/sources.ts'
import type { Context } from '../context.ts'
import { debounce, el, field, onSubmit, select, sourceName } from '../dom.ts'
import { IMPORTED, importBox } from './import.ts'
import { ReviewList } from './review-list.ts'

const PAUSE_MS = 300

/** All reviews, newest first, with their actions, and the import box. */
export function reviewsView(body: HTMLElement, context: Context): void {
  const { params } = context
  const list = new ReviewList(context, () => filtersOf(controls))
  const reload = () => list.reload()
  const pick = (name: string, options: Parameters<typeof select>[0]) => select(options, params.get(name) ?? '', reload)
  const controls = {
    q: el('input', {
      type: 'search',
      maxlength: 200,
      dir: 'auto',
      value: params.get('q') ?? '',
      oninput: debounce(PAUSE_MS, reload),
    }),
    source: pick('source', [['', 'all'], ...SOURCES.map((one): [string, string] => [one, sourceName(one)])]),
    stars: pick('stars', [
      ['', 'all'],
      ...[5, 4, 3, 2, 1].map((one): [string, string] => [`${one}`, pluralize(one, 'star')]),
      ['0', 'none'],
    ]),
    state: pick('state', [
      ['', 'all'],
      'shown',
      'hidden',
      ['sentence_hidden', 'with hidden sentences'],
      ['indexing', 'not indexed yet'],
    ]),
  }
  addEventListener(IMPORTED, reload, { signal: context.signal })
  body.append(
    importBox(context),
    el(
      'form',
      { role: 'search', class: 'row', onsubmit: onSubmit(reload) },
      el('div', { class: 'wide' }, field('Search reviews', controls.q)),
      field('Source', controls.source),
      field('Stars', controls.stars),
      field('State', controls.state),
    ),
    ...list.elements,
  )
  list.reload()
}

/** The parameters of the reviews that the filters ask for; a control that is left empty asks for all. */
function filtersOf(controls: Record<string, HTMLInputElement | HTMLSelectElement>): URLSearchParams {
  const filters = new URLSearchParams()
  for (const [name, { value }] of Object.entries(controls)) if (value.trim()) filters.set(name, value.trim())
  return filters
}
