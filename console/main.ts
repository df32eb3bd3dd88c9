import type { ConsoleSession } from '../src/contract/console.ts'
import { addressOf, type Place, readAddress } from './address.ts'
import { ApiError, call, errorText, hasStorage, listen, token } from './api.ts'
import type { Context } from './context.ts'
import { announce, button, closeDialog, currentButton, el } from './dom.ts'
import { elsewherePage, noProjectPage } from './no-project.ts'
import { openShell, type Shell } from './shell.ts'
import { signInPage } from './sign-in.ts'
import { VIEWS } from './views.ts'
import { isBackAfter, LOOK_MS } from './when-back.ts'

const CHOICE = 'pullquote-console-choice'
const NO_STORAGE =
  'This browser does not let this page store anything, so you cannot stay signed in. Allow cookies and site data for this address.'
let session: ConsoleSession | undefined
let shell: Shell | undefined
/** The token of the latest sign-in that this tab knows of. */
let known = ''
/** A link waits to be used or left. */
let isAsking = false
const tagState: Context['tagState'] = { keys: new Map(), drafts: new Map() }
const unsaved: Context['unsaved'] = new Map()
let leaving = new AbortController()
let isFirst = true
/** The view could not be shown. */
let isMissing = false
/** The URL fragment of the current view. */
let shown = ''

/**
 * Where an address leads that names no project: to what was chosen last in this browser tab, in a new tab to the latest
 * choice of any tab.
 */
function lastPlace({ projects }: ConsoleSession): Place | undefined {
  let chosen: Partial<Place> = {}
  try {
    chosen = JSON.parse(sessionStorage.getItem(CHOICE) ?? localStorage.getItem(CHOICE) ?? '{}')
  } catch {}
  const { id } = projects.find((one) => one.id === chosen.project) ?? projects[0] ?? {}
  return id === undefined ? undefined : { project: id, env: chosen.env === 'test' ? 'test' : 'live' }
}

async function begin(): Promise<void> {
  if (!hasStorage()) return failed(NO_STORAGE)
  const link = /^#sign-in=([\w-]+)$/.exec(location.hash)?.[1]
  if (link) {
    // First of all, remove the secret from the address bar and the history.
    history.replaceState(null, '', location.pathname)
    // A session that has ended is forgotten by this, and the link then needs no confirmation.
    if (token.get()) await call('GET', 'session').catch(() => {})
    leaving.abort()
    session = undefined
    isAsking = true
    return signInPage({ link, done: start, ...(token.get() ? { stay: start } : {}) })
  }
  if (!token.get()) return signInPage({ done: start })
  await start()
}

async function start(fresh?: ConsoleSession): Promise<void> {
  isAsking = false
  known = token.get()
  try {
    session = fresh ?? (await call<ConsoleSession>('GET', 'session'))
    // Not for whoever signs in next.
    tagState.keys.clear()
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return
    return failed(error)
  }
  shell = openShell(session, { pick, signOut })
  await show()
}

/** Shows nothing but an error. */
function failed(error: unknown): void {
  const retry = button('Try again', begin)
  document.body.replaceChildren(
    el('main', { class: 'alone' }, el('h1', 'Pullquote'), el('p', { role: 'alert' }, errorText(error)), retry),
  )
}

/** Opens the same view in another project or environment. */
function pick(change: Partial<Place>): void {
  const { path, params, place } = readAddress(location.hash)
  const from = session?.projects.some(({ id }) => id === place?.project) ? place : session && lastPlace(session)
  if (!from) return
  const chosen = { ...from, ...change }
  for (const storage of [sessionStorage, localStorage]) storage.setItem(CHOICE, JSON.stringify(chosen))
  location.hash = addressOf(path, chosen, params)
}

async function show(isButtonInView = false): Promise<void> {
  if (!session || !shell) return
  const { main } = shell
  leaving.abort()
  leaving = new AbortController()
  const { signal } = leaving
  isMissing = false
  const { path, params, place: named } = readAddress(location.hash)
  const place = named ?? lastPlace(session)
  const project = session.projects.find(({ id }) => id === place?.project)
  const view = VIEWS.find((each) => each.path === path) ?? VIEWS[0]
  announce('')
  closeDialog()
  shell.mark(view?.path ?? '', project && place)
  const chosenIn = document.activeElement
  if (session.projects.length === 0) return noProjectPage(main, session.operator, start)
  if (!project || !place || !view) return elsewhere(main, place?.project, signal)
  sessionStorage.setItem(CHOICE, JSON.stringify(place))
  document.title = `${view.name} – ${project.name} – Pullquote`
  const heading = el('h1', { tabindex: -1 }, view.name)
  const body = el('div', { class: 'view' })
  main.replaceChildren(heading, body)
  // A list whose choice leads here keeps the focus: with the arrow keys one goes on to its next item.
  const keeps = isButtonInView || chosenIn instanceof HTMLSelectElement
  if (!isFirst && !keeps) heading.focus()
  isFirst = false
  const name = (current: URLSearchParams) => {
    history.replaceState(null, '', addressOf(view.path, place, current))
    shown = location.hash
  }
  name(params)
  const context: Context = {
    project,
    env: place.env,
    isOperator: session.operator,
    tagState,
    unsaved,
    params,
    setParams(current) {
      // Another view was just chosen: overwriting its fragment before `hashchange` would lose the click.
      if (location.hash === shown) name(current)
    },
    addressOf: (to, parameters) => addressOf(to, place, new URLSearchParams(parameters)),
    signal,
    ofProject: (rest = '') => `projects/${project.id}${rest}`,
    ofEnv: (rest) => `projects/${project.id}/${place.env}/${rest}`,
    reload: () => show(true),
  }
  try {
    await view.show(body, context)
    if (!keeps || signal.aborted || document.activeElement !== document.body) return
    ;(isButtonInView ? (currentButton(chosenIn) ?? heading) : body.querySelector('select'))?.focus()
  } catch (error) {
    if (signal.aborted) return
    isMissing = true
    const again = button('Try again', context.reload)
    body.replaceChildren(el('p', { class: 'problem', role: 'alert' }, errorText(error)), again)
    if (isButtonInView && document.activeElement === document.body) again.focus()
    if (await isBackAfter(error, signal)) void show()
  }
}

/** The address names a project that is none of the session's, unless it was created after the page was opened. */
async function elsewhere(main: HTMLElement, id: string | undefined, signal: AbortSignal): Promise<void> {
  const fresh = await call<ConsoleSession>('GET', 'session', { signal }).catch(() => session)
  if (signal.aborted || !fresh) return
  if (fresh.projects.some((one) => one.id === id)) return start(fresh)
  const own = lastPlace(fresh)
  const name = fresh.projects.find((one) => one.id === own?.project)?.name
  if (own && name) elsewherePage(main, name, addressOf('search', own))
}

async function signOut(): Promise<void> {
  await call('DELETE', 'session').catch(() => {})
  tagState.drafts.clear()
  unsaved.clear()
  leave('You are signed out.')
}

/** Ends the session on this page, so that nothing continues or reappears with the back button. */
function leave(message: string): void {
  leaving.abort()
  session = undefined
  isAsking = false
  known = ''
  token.forget()
  signInPage({ message, done: start })
}

/** After a sign-in in another tab, which replaced this one's session. */
async function renew(): Promise<void> {
  const fresh = await call<ConsoleSession>('GET', 'session').catch(() => undefined)
  if (!fresh) return
  const seen = (of: ConsoleSession | undefined) => JSON.stringify([of?.operator, of?.projects])
  if (seen(session) !== seen(fresh)) return start(fresh)
  session = fresh
  if (isMissing) await show()
}

addEventListener('storage', () => {
  const current = token.get()
  if (current === known || isAsking) return
  // After signing out in another tab, this one must not go on showing data.
  if (current === '') return leave('You are signed out.')
  known = current
  void renew()
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
      waiting = setTimeout(() => void call('GET', 'session').catch(again), LOOK_MS)
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
  updated() {
    const place = document.querySelector('[data-updated]')
    if (!place || place.hasChildNodes()) return
    const reload = button('Reload', () => location.reload())
    place.append(el('span', 'The server has been updated, and this page is still of the version before.'), reload)
  },
  waiting(isWaiting) {
    const place =
      document.querySelector('[data-waiting]') ??
      document.body.appendChild(el('p', { class: 'waiting', role: 'status', 'data-waiting': true }))
    place.textContent = isWaiting ? 'Waiting for the server …' : ''
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
  else if (location.hash.startsWith('#/') || location.hash === '') void (isAsking && token.get() ? start() : show())
})
void begin()
