import type { ConsoleProject, ConsoleSearch } from '../../src/contract/console.ts'
import { call } from '../api.ts'
import { cards } from '../cards.ts'
import type { Context } from '../context.ts'
import { debounce, el } from '../dom.ts'
import { latestOnly } from '../latest-only.ts'
import { SiteOrigins } from './site-origins.ts'
import { TagCode } from './tag-code.ts'
import { TagForm } from './tag-form.ts'

const PAUSE_MS = 300

/** Creates the tag for a web site: its look, its key and the origins that may use it. */
export async function tagView(body: HTMLElement, context: Context): Promise<void> {
  const { project, ofProject, ofEnv, signal } = context
  const { drafts } = context.tagState
  const stored = await call<ConsoleProject>('GET', ofProject(), { signal })
  const form = new TagForm(stored.notes, drafts.get(project.id))
  const code = new TagCode(context, form)
  const preview = el('div', { class: 'preview' })
  const draw = latestOnly(signal, preview, async (mine) => {
    const asked = { q: form.query, limit: form.cards, mode: 'reviews', filters: { metadata: form.metadata } }
    const { response } = await call<ConsoleSearch>('POST', ofEnv('search'), { body: asked, signal: mine })
    if (mine.aborted) return
    preview.replaceChildren(
      response.results.length === 0
        ? el('p', 'Nothing fits, so the tag would show nothing.')
        : cards(response, form.options, form.note),
    )
  })
  const later = debounce(PAUSE_MS, draw)
  form.onChange(() => {
    drafts.set(project.id, form.draft)
    code.write()
    later()
  })
  const sites = new SiteOrigins(context, stored)
  body.append(
    el(
      'div',
      { class: 'columns' },
      form.element,
      el('div', el('h2', 'The tag'), ...code.elements, el('h2', 'Sites that can show it'), ...sites.elements),
    ),
    el('h2', 'Preview'),
    preview,
  )
  code.write()
  await draw()
}
