import { reservedHeight } from '../../snippet/reserved-height.ts'
import type { Options } from '../../snippet/settings.ts'
import { type TagAttributes, tagHtml } from '../../snippet/tag-html.ts'
import type { ConsoleProject, ConsoleSearch } from '../../src/contract/console.ts'
import { QUERY_LENGTH, QUERY_LIMIT } from '../../src/contract/limits.ts'
import { ApiError, call, errorText } from '../api.ts'
import { cards } from '../cards.ts'
import type { Context } from '../context.ts'
import { announce, button, checkbox, debounce, el, field, onSubmit, select } from '../dom.ts'
import { latestOnly, showProblem } from '../latest-only.ts'
import { webAddress } from '../web-address.ts'

const PAUSE_MS = 300
const KEY_IS_THERE = 'The key is in the tag. It is safe to publish, and is shown until you sign out or close this page.'

/** Creates the tag for a web site: its look, its key and the origins that may use it. */
export async function tagView(body: HTMLElement, context: Context): Promise<void> {
  const { project: owner, ofProject, ofEnv, env, signal } = context
  const { keys, drafts } = context.tagState
  let project = await call<ConsoleProject>('GET', ofProject(), { signal })
  const keyPath = ofEnv('key')
  const code = el('code')
  const tag = el('pre', { tabindex: 0, role: 'group', 'aria-label': 'The tag' }, code)
  const preview = el('div', { class: 'preview' })
  const said = el('div', { 'aria-live': 'polite' })
  const noteSaid = el('p', { class: 'hint' })

  const change = () => {
    write()
    later()
  }
  const heading = el('input', { maxlength: 120, dir: 'auto', value: 'What our guests say', oninput: change })
  const query = el('input', { maxlength: QUERY_LENGTH, dir: 'auto', oninput: change })
  const limit = el('input', { type: 'number', min: QUERY_LIMIT.min, max: QUERY_LIMIT.max, value: 3, oninput: change })
  limit.addEventListener('change', () => {
    // What cannot be had is not left standing beside a tag that says something else.
    limit.value = `${cardCount()}`
  })
  const layout = select([['', 'grid'], 'list', ['single', 'single quote']], '', change)
  const theme = select([['', 'same as page'], ['auto', 'reader’s system theme'], 'light', 'dark'], '', change)
  const language = select([['', 'same as page'], ...Object.keys(project.notes).map(languageOption)], '', change)
  const note = el('input', { type: 'checkbox', checked: true, onchange: change })
  const reserve = el('input', { type: 'checkbox', checked: true, onchange: change })

  const texts = [heading, query, limit, layout, theme, language]
  const boxes = [note, reserve]
  const draft = drafts.get(owner.id)
  for (const [at, control] of texts.entries()) control.value = draft?.texts[at] ?? control.value
  for (const [at, control] of boxes.entries()) control.checked = draft?.boxes[at] ?? control.checked

  /** The note for the current settings, for the preview; on a page the server composes it on every view. */
  const noteText = () => project.notes[language.value || 'en'] ?? ''
  const options = (): Options => ({
    ...(heading.value.trim() ? { heading: heading.value.trim() } : {}),
    ...(layout.value ? { layout: layout.value } : {}),
    ...(theme.value ? { theme: theme.value } : {}),
    ...(language.value ? { lang: language.value } : {}),
  })
  const cardCount = () => {
    const typed = limit.value === '' ? 3 : Math.trunc(Number(limit.value))
    return Math.min(QUERY_LIMIT.max, Math.max(QUERY_LIMIT.min, typed))
  }
  const count = () => (layout.value === 'single' ? 1 : cardCount())
  const write = () => {
    drafts.set(owner.id, { texts: texts.map(({ value }) => value), boxes: boxes.map(({ checked }) => checked) })
    const script = new URL('snippet.js', document.baseURI).href
    const attributes: TagAttributes = [
      ['style', reserve.checked ? `display: block; min-height: ${reservedHeight(count())}` : undefined],
      ['data-key', keys.get(keyPath) ?? 'YOUR_PUBLISHABLE_KEY'],
      ['data-query', query.value.trim() || undefined],
      ['data-limit', layout.value === 'single' ? undefined : `${count()}`],
      ['data-layout', layout.value || undefined],
      ['data-theme', theme.value || undefined],
      ['data-lang', language.value || undefined],
      ['data-heading', heading.value.trim() || undefined],
      ['data-note', note.checked ? 'auto' : undefined],
      ['data-reserve', reserve.checked ? 'auto' : undefined],
    ]
    code.textContent = tagHtml(attributes, script, [], '\n  ')
    noteSaid.textContent = noteText()
      ? `The note has to say which reviews are shown: “${noteText()}”. It changes with the settings.`
      : 'All reviews are shown, so no note is needed.'
  }
  const draw = latestOnly(signal, preview, async (mine) => {
    const body = { q: query.value.trim() || undefined, limit: count(), mode: 'reviews' }
    const { response } = await call<ConsoleSearch>('POST', ofEnv('search'), { body, signal: mine })
    if (mine.aborted) return
    preview.replaceChildren(
      response.results.length === 0
        ? el('p', 'Nothing fits, so the tag would show nothing.')
        : cards(response, options(), note.checked ? { note: noteText(), lang: language.value || 'en' } : {}),
    )
  })
  const later = debounce(PAUSE_MS, draw)
  const makeKey = async () => {
    keyButton.disabled = true
    try {
      keys.set(keyPath, (await call<{ key: string }>('POST', keyPath)).key)
      write()
      keySaid.textContent = KEY_IS_THERE
      // The pressed button stays disabled.
      if (document.activeElement === document.body) tag.focus()
    } catch (error) {
      keyButton.disabled = false
      keySaid.textContent = errorText(error)
    }
  }
  const keySaid = el(
    'p',
    { class: 'hint', role: 'status' },
    keys.has(keyPath)
      ? KEY_IS_THERE
      : 'The tag needs a key: create one here, or paste in your own. Keys are not stored, so they cannot be shown again.',
  )
  const keyButton = button(`Create a ${env} key`, makeKey, { class: 'plain', disabled: keys.has(keyPath) })
  const origin = el('input', { type: 'url', placeholder: 'https://www.example.com' })
  const origins = el('ul', { class: 'origins' })
  const listOrigins = () =>
    origins.replaceChildren(
      ...(project.origins.length === 0
        ? [el('li', 'None yet, so no site can show the reviews. Add yours below.')]
        : project.origins.map((one) => el('li', one))),
    )
  const addOrigin = async (again = true): Promise<void> => {
    const wanted = originOf(webAddress(origin.value))
    try {
      if (wanted === undefined)
        throw new Error('This is not the address of a site. It looks like https://www.example.com.')
      project = await call('PATCH', ofProject(), { body: { revision: project.revision, add_origin: wanted } })
      origin.value = ''
      said.replaceChildren()
      listOrigins()
      announce(`Pages on ${wanted} can now show the reviews.`)
    } catch (error) {
      // Adding an origin does not conflict with other changes, so it is retried once.
      if (again && error instanceof ApiError && error.status === 409) {
        project = (error.body as { current: ConsoleProject }).current
        return addOrigin(false)
      }
      showProblem(said, error, `${wanted ?? origin.value} for ${owner.name}`)
    }
  }
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(code.textContent ?? '')
      announce(
        keys.has(keyPath)
          ? 'Copied.'
          : 'Copied, without a key: create one and copy again, or put your own in place of YOUR_PUBLISHABLE_KEY.',
      )
    } catch {
      getSelection()?.selectAllChildren(code)
      announce('Selected: press Ctrl-C to copy.')
    }
  }
  body.append(
    el(
      'div',
      { class: 'columns' },
      el(
        'div',
        field('Heading', heading),
        field(
          'Query',
          query,
          'If empty, each page uses its own heading, and its title and description if nothing fits that.',
        ),
        el('div', { class: 'row' }, field('Cards', limit), field('Layout', layout)),
        el('div', { class: 'row pad' }, field('Colours', theme), field('Language', language)),
        checkbox('Reserve space until the reviews load', reserve),
        checkbox('Add a note on which reviews are shown', note),
        noteSaid,
      ),
      el(
        'div',
        el('h2', 'The tag'),
        tag,
        el('div', { class: 'actions' }, button('Copy', copy), keyButton),
        keySaid,
        el('h2', 'Sites that can show it'),
        origins,
        el(
          'form',
          { class: 'row', novalidate: true, onsubmit: onSubmit(addOrigin) },
          el('div', { class: 'wide' }, field('Add a site', origin)),
          el('button', { type: 'submit', class: 'plain' }, 'Add'),
        ),
        said,
      ),
    ),
    el('h2', 'Preview'),
    preview,
  )
  listOrigins()
  write()
  await draw()
}

/** A language by its own name: `Français`. */
function languageOption(tag: string): [string, string] {
  const name = new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag
  return [tag, name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)]
}

/** The origin of a page's address; undefined if it is none, such as "localhost:3000", whose scheme is missing. */
function originOf(value: string): string | undefined {
  try {
    const { protocol, origin } = new URL(value)
    return /^https?:$/.test(protocol) ? origin : undefined
  } catch {
    return undefined
  }
}
