import type { ConsoleSession } from '../src/contract/console.ts'
import { ApiError, call, errorText, hasStorage, listen, token } from './api.ts'
import type { Context } from './context.ts'
import { announce, closeDialog, el, select } from './dom.ts'
import { noProjectPage } from './no-project.ts'
import { signInPage } from './sign-in.ts'
import { VIEWS, type View } from './views.ts'

const CHOICE = 'pullquote-console-choice'
const NO_STORAGE =
  'This browser does not let this page store anything, so you cannot stay signed in. Allow cookies and site data for this address.'
let session: ConsoleSession | undefined
let tagState: Context['tagState']
let unsaved: Context['unsaved']
let leaving = new AbortController()
let isFirst = true
/** The view could not be shown. */
let isMissing = false
/** The URL fragment of the current view. */
let shown = ''

/** The chosen project and environment, per browser tab; a new tab starts with the latest choice of any tab. */
function choice(): { project?: string; env?: string } {
  try {
    return JSON.parse(sessionStorage.getItem(CHOICE) ?? localStorage.getItem(CHOICE) ?? '{}')
  } catch {
    return {}
  }
}

async function begin(): Promise<void> {
  if (!hasStorage()) return failed(NO_STORAGE)
  const link = /^#sign-in=([\w-]+)$/.exec(location.hash)?.[1]
  // First of all, remove the secret from the address bar and the history.
  if (link) history.replaceState(null, '', location.pathname)
  if (link) return signInPage({ link, isSignedIn: token.get() !== '', done: start })
  if (!token.get()) return signInPage({ done: start })
  await start()
}

async function start(fresh?: ConsoleSession): Promise<void> {
  try {
    session = fresh ?? (await call<ConsoleSession>('GET', 'session'))
    tagState = { keys: new Map(), drafts: new Map() }
    unsaved = new Map()
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return
    return failed(error)
  }
  shell(session)
  await show()
}

/** Shows nothing but an error. */
function failed(error: unknown): void {
  const retry = el('button', { type: 'button', onclick: () => void begin() }, 'Try again')
  document.body.replaceChildren(
    el('main', { class: 'alone' }, el('h1', {}, 'Pullquote'), el('p', { role: 'alert' }, errorText(error)), retry),
  )
}

function shell({ projects, operator, expires_at }: ConsoleSession): void {
  const { project, env } = choice()
  const own = projects.find(({ id }) => id === project) ?? projects[0]
  sessionStorage.setItem(CHOICE, JSON.stringify({ project: own?.id, env }))
  const pick = (change: { project?: string; env?: string }) => {
    const chosen = JSON.stringify({ ...choice(), ...change })
    for (const storage of [sessionStorage, localStorage]) storage.setItem(CHOICE, chosen)
    void show()
  }
  const names = select(
    projects.map(({ id, name }) => [id, name]),
    own?.id ?? '',
    (id) => pick({ project: id }),
  )
  names.setAttribute('aria-label', 'Project')
  const environments = select(['live', 'test'], env === 'test' ? 'test' : 'live', (value) => pick({ env: value }))
  environments.setAttribute('aria-label', 'Environment')
  const until = new Date(expires_at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  const out = el(
    'button',
    { type: 'button', class: 'plain', title: `You will be signed out at ${until}`, onclick: signOut },
    'Sign out',
  )
  document.body.replaceChildren(
    el('a', { class: 'skip', href: '#main' }, 'Skip to content'),
    el(
      'header',
      { class: 'top' },
      el('strong', { class: 'brand' }, 'Pullquote'),
      own && (projects.length > 1 ? names : el('span', { class: 'project', title: own.name }, own.name)),
      own && environments,
      el('span', { class: 'role soft' }, operator ? 'operator' : 'owner'),
      out,
    ),
    own
      ? el('nav', { 'aria-label': 'Views' }, ...VIEWS.map(({ path, name }) => el('a', { href: `#/${path}` }, name)))
      : '',
    el('div', { class: 'banner', role: 'alert', 'data-banner': true }),
    el('main', { id: 'main', tabindex: -1 }),
    el('p', { class: 'announce', role: 'status', 'data-announce': true }),
  )
  document.querySelector('.skip')?.addEventListener('click', (event) => {
    event.preventDefault()
    document.querySelector<HTMLElement>('main')?.focus()
  })
}

async function show(): Promise<void> {
  if (!session) return
  const main = document.querySelector('main')
  if (!main) return
  leaving.abort()
  leaving = new AbortController()
  const { signal } = leaving
  isMissing = false
  shown = location.hash
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?')
  const view: View | undefined = VIEWS.find((each) => each.path === path) ?? VIEWS[0]
  for (const link of document.querySelectorAll<HTMLAnchorElement>('nav a')) {
    const isHere = link.getAttribute('href') === `#/${view?.path}`
    if (isHere) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
    if (isHere) link.scrollIntoView({ block: 'nearest', inline: 'center' })
  }
  const chosen = choice()
  const project = session.projects.find(({ id }) => id === chosen.project) ?? session.projects[0]
  announce('')
  closeDialog()
  if (!project || !view) {
    noProjectPage(main, session.operator, start)
    return
  }
  document.title = `${view.name} – ${project.name} – Pullquote`
  const heading = el('h1', { tabindex: -1 }, view.name)
  const body = el('div', { class: 'view' })
  main.replaceChildren(heading, body)
  if (!isFirst) heading.focus()
  isFirst = false
  const env = chosen.env === 'test' ? 'test' : 'live'
  const context: Context = {
    project,
    env,
    isOperator: session.operator,
    tagState,
    unsaved,
    params: new URLSearchParams(query),
    setParams(params) {
      // Another view was just chosen: overwriting its fragment before `hashchange` would lose the click.
      if (location.hash !== shown) return
      history.replaceState(null, '', `#/${view.path}?${params}`.replace(/\?$/, ''))
      shown = location.hash
    },
    signal,
    ofProject: (rest = '') => `projects/${project.id}${rest}`,
    ofEnv: (rest) => `projects/${project.id}/${env}/${rest}`,
    reload: () => void show(),
  }
  try {
    await view.show(body, context)
  } catch (error) {
    if (signal.aborted) return
    isMissing = true
    const again = el('button', { type: 'button', onclick: context.reload }, 'Try again')
    body.replaceChildren(el('p', { class: 'problem', role: 'alert' }, errorText(error)), again)
  }
}

async function signOut(): Promise<void> {
  await call('DELETE', 'session').catch(() => {})
  leave('You are signed out.')
}

/** Ends the session on this page, so that nothing continues or reappears with the back button. */
function leave(message: string): void {
  leaving.abort()
  session = undefined
  token.forget()
  signInPage({ message, done: start })
}

// After signing out in another tab, this one must not go on showing data.
addEventListener('storage', () => {
  if (session && !token.get()) leave('You are signed out.')
})

let waiting: ReturnType<typeof setTimeout> | undefined
listen({
  signedOut: leave,
  lost() {
    const banner = document.querySelector('[data-banner]')
    if (!banner || banner.textContent) return
    banner.textContent =
      'The server is not responding. What you see may be out of date, and nothing you do now is saved.'
    const look = () => {
      // An error response also means that the server is back.
      const again = (error: unknown) => error instanceof ApiError || look()
      waiting = setTimeout(() => void call('GET', 'session').catch(again), 3_000)
    }
    look()
  },
  back() {
    clearTimeout(waiting)
    const banner = document.querySelector('[data-banner]')
    if (!banner?.textContent) return
    banner.textContent = ''
    // After the handling of the response itself, which may end the session.
    queueMicrotask(() => {
      if (isMissing) void show()
      announce('The server is back.')
    })
  },
})
// A file dropped beside the import box would replace the page.
addEventListener('dragover', (event) => {
  if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
  event.preventDefault()
  event.dataTransfer.dropEffect = 'none'
})
addEventListener('hashchange', () => {
  if (location.hash.startsWith('#sign-in=')) void begin()
  else if (location.hash.startsWith('#/') || location.hash === '') void show()
})
void begin()
