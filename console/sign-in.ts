import type { ConsoleSession } from '../src/contract/console.ts'
import { ApiError, call, errorText, token } from './api.ts'
import { button, el } from './dom.ts'

/**
 * The sign-in page. A user who is signed in already must confirm a link, since a foreign site may have sent them here
 * with a link of its own (login CSRF).
 */
export function signInPage(options: {
  link?: string
  /** Goes on with the session that there is already. */
  stay?: () => Promise<void>
  message?: string
  done: (session: ConsoleSession) => Promise<void>
}): void {
  const { link, stay, message, done } = options
  const problem = el('p', { class: 'problem', role: 'alert' }, message)
  const use = async () => {
    signIn.disabled = true
    problem.textContent = ''
    try {
      const session = await call<ConsoleSession & { token: string }>('POST', 'sign-in', { body: { link } })
      token.set(session.token)
      await done(session)
    } catch (error) {
      signIn.disabled = false
      if (!document.contains(problem)) return
      problem.textContent = errorText(error)
      // A link that was refused once stays invalid; a server that was busy has not looked at it.
      if (error instanceof ApiError && error.status === 401)
        signIn.remove()
        // Disabled or removed, the button has lost the focus.
      ;[signIn, staying, heading].find((each) => each?.isConnected)?.focus()
    }
  }
  const signIn = button('Sign in with this link', use)
  const staying = stay && button('Stay signed in as before', stay, { class: 'plain' })
  const how = el(
    'p',
    'Run ',
    el('code', 'pullquote console'),
    ' on the server’s own machine: it opens this page and signs you in. If you own a project, open the link that you were sent, or ask whoever runs the server for one.',
  )
  const heading = el('h1', { tabindex: -1 }, 'Pullquote')
  document.title = 'Sign in – Pullquote'
  document.body.replaceChildren(
    el(
      'main',
      { class: 'alone' },
      heading,
      problem,
      link && stay && el('p', 'You are already signed in. This link signs you in again, possibly to another project.'),
      link ? el('div', { class: 'actions' }, signIn, staying) : how,
    ),
  )
  if (link && !stay) void use()
  else if (link) signIn.focus()
  // What had the focus is gone with the page on which the session ended.
  else if (message) heading.focus()
}
