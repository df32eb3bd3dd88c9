import { NAME_LENGTH } from '../src/contract/limits.ts'
import { call, errorText } from './api.ts'
import { announce, checkbox, el, field, onSubmit } from './dom.ts'

/** The page without a project: the operator can create one; an owner is told that theirs was deleted. */
export function noProjectPage(main: HTMLElement, isOperator: boolean, done: () => Promise<void>): void {
  document.title = 'Pullquote'
  if (!isOperator) {
    const gone = 'It was deleted. Who runs the server can give you a link to another.'
    main.replaceChildren(el('h1', { tabindex: -1 }, 'The project of your link is gone'), el('p', {}, gone))
    return
  }
  const name = el('input', { maxlength: NAME_LENGTH, required: true, autocomplete: 'organization' })
  const complaints = el('input', { type: 'checkbox' })
  const problem = el('div', { role: 'alert' })
  const button = el('button', { type: 'submit' }, 'Make the project')
  const make = async () => {
    button.disabled = true
    problem.replaceChildren()
    try {
      const excerpts = complaints.checked ? 'no_complaints' : 'all'
      const made = await call<{ name: string }>('POST', 'projects', { body: { name: name.value, excerpts } })
      location.hash = '#/reviews'
      await done()
      announce(`${made.name} is there. Drop a file of its reviews into the box.`)
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
      {},
      'A project holds the reviews of one business, and says which of them its site shows. Make one, then import a file of its reviews, then put the tag onto the site.',
    ),
    el(
      'form',
      { class: 'settings', onsubmit: onSubmit(make) },
      field('Name of the project', name, 'Such as the name of the business.'),
      checkbox('Leave out sentences that read as complaints, whatever the stars of their review', complaints),
      problem,
      el('div', { class: 'actions' }, button),
    ),
    el('p', { class: 'hint' }, 'Or by command: ', el('code', {}, 'pullquote projects create NAME')),
  )
}
