import { NAME_LENGTH } from '../src/contract/limits.ts'
import { call, errorText } from './api.ts'
import { announce, checkbox, el, field, onSubmit } from './dom.ts'

/** The page at the address of a project that the user cannot see. @param address of the project of this name */
export function elsewherePage(main: HTMLElement, name: string, address: string): void {
  document.title = 'Pullquote'
  main.replaceChildren(
    el('h1', { tabindex: -1 }, 'This is the address of another project'),
    el('p', 'It does not exist, or you are not signed in to it in this browser.'),
    el('p', el('a', { href: address }, `Open ${name}`)),
  )
}

/** The page without a project: the operator can create one; an owner is told that theirs was deleted. */
export function noProjectPage(main: HTMLElement, isOperator: boolean, done: () => Promise<void>): void {
  document.title = 'Pullquote'
  if (!isOperator) {
    const gone = 'It was deleted. Whoever runs the server can send you a link to another one.'
    main.replaceChildren(el('h1', { tabindex: -1 }, 'This project no longer exists'), el('p', gone))
    return
  }
  const name = el('input', { maxlength: NAME_LENGTH, required: true, autocomplete: 'organization', dir: 'auto' })
  const complaints = el('input', { type: 'checkbox' })
  const problem = el('div', { role: 'alert' })
  const button = el('button', { type: 'submit' }, 'Create project')
  const make = async () => {
    button.disabled = true
    problem.replaceChildren()
    try {
      const excerpts = complaints.checked ? 'no_complaints' : 'all'
      const made = await call<{ name: string }>('POST', 'projects', { body: { name: name.value, excerpts } })
      location.hash = '#/reviews'
      await done()
      announce(`${made.name} is ready. Drop a file with its reviews into the box.`)
    } catch (error) {
      problem.replaceChildren(el('p', { class: 'problem' }, errorText(error)))
      button.disabled = false
      name.focus()
    }
  }
  main.replaceChildren(
    el('h1', { tabindex: -1 }, 'No project yet'),
    el(
      'p',
      'A project holds the reviews of one business, and decides which of them its site shows. Create one, import a file of its reviews, then add the tag to the site.',
    ),
    el(
      'form',
      { class: 'settings', onsubmit: onSubmit(make) },
      field('Project name', name, 'For example, the name of the business.'),
      checkbox('Leave out sentences that sound like complaints, whatever the review’s rating', complaints),
      problem,
      el('div', { class: 'actions' }, button),
    ),
    el('p', { class: 'hint' }, 'Or on the command line: ', el('code', 'pullquote projects create NAME')),
  )
}
