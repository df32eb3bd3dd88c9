import type { ConsoleSession } from '../src/contract/console.ts'
import { addressOf, type Place } from './address.ts'
import { button, el, select } from './dom.ts'
import { VIEWS } from './views.ts'

/** What surrounds every view. */
export interface Shell {
  main: HTMLElement
  /** Shows in the head and the list of views what is open; undefined where it is none of the user's projects. */
  mark(path: string, place: Place | undefined): void
}

/** Replaces the page with head, list of views and an empty main element. */
export function openShell(
  { projects, operator, expires_at }: ConsoleSession,
  { pick, signOut }: { pick: (change: Partial<Place>) => void; signOut: () => void },
): Shell {
  const [own] = projects
  const names = select(
    projects.map(({ id, name }) => [id, name]),
    '',
    (project) => pick({ project }),
  )
  names.setAttribute('aria-label', 'Project')
  const environments = select(['live', 'test'], 'live', (value) => pick({ env: value === 'test' ? 'test' : 'live' }))
  environments.setAttribute('aria-label', 'Environment')
  const until = new Date(expires_at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  const out = button('Sign out', signOut, { class: 'plain', title: `You will be signed out at ${until}` })
  const links = VIEWS.map(({ path, name }) => ({ path, link: el('a', name) }))
  const main = el('main', { id: 'main', tabindex: -1 })
  const skip = (event: Event) => {
    event.preventDefault()
    main.focus()
  }
  document.body.replaceChildren(
    el('a', { class: 'skip', href: '#main', onclick: skip }, 'Skip to content'),
    el(
      'header',
      { class: 'top' },
      el('strong', { class: 'brand' }, 'Pullquote'),
      own && (projects.length > 1 ? names : el('span', { class: 'project', title: own.name }, own.name)),
      own && environments,
      el('span', { class: 'role soft' }, operator ? 'operator' : 'owner'),
      out,
    ),
    own ? el('nav', { 'aria-label': 'Views' }, ...links.map(({ link }) => link)) : '',
    el('div', { class: 'banner', role: 'alert', 'data-banner': true }),
    el('div', { class: 'banner news', role: 'status', 'data-updated': true }),
    main,
    el('p', { class: 'announce', role: 'status', 'data-announce': true }),
  )
  return {
    main,
    mark(shown, place) {
      names.value = place?.project ?? ''
      environments.value = place?.env ?? 'live'
      const target = place ?? { project: own?.id ?? '', env: 'live' }
      for (const { path, link } of links) {
        link.href = addressOf(path, target)
        if (path === shown && place) link.setAttribute('aria-current', 'page')
        else link.removeAttribute('aria-current')
        if (path === shown) link.scrollIntoView({ block: 'nearest', inline: 'center' })
      }
    },
  }
}
