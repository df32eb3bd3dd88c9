import type { ConsoleProject } from '../../src/contract/console.ts'
import { call, currentProject } from '../api.ts'
import type { Context } from '../context.ts'
import { announce, el, field, onSubmit } from '../dom.ts'
import { showProblem } from '../latest-only.ts'
import { webAddress } from '../web-address.ts'

/** The sites whose pages can show the reviews, and a form that adds one. */
export class SiteOrigins {
  readonly #context: Context
  readonly #origin = el('input', { type: 'url', placeholder: 'https://www.example.com' })
  readonly #list = el('ul', { class: 'origins' })
  readonly #said = el('div', { 'aria-live': 'polite' })
  #project: ConsoleProject

  constructor(context: Context, project: ConsoleProject) {
    this.#context = context
    this.#project = project
    this.#show()
  }

  get elements(): HTMLElement[] {
    const form = el(
      'form',
      { class: 'row', novalidate: true, onsubmit: onSubmit(() => this.#add()) },
      el('div', { class: 'wide' }, field('Add a site', this.#origin)),
      el('button', { type: 'submit', class: 'plain' }, 'Add'),
    )
    return [this.#list, form, this.#said]
  }

  #show(): void {
    const { origins } = this.#project
    const lines = origins.length > 0 ? origins : ['None yet, so no site can show the reviews. Add yours below.']
    this.#list.replaceChildren(...lines.map((line) => el('li', line)))
  }

  async #add(): Promise<void> {
    const wanted = originOf(webAddress(this.#origin.value))
    try {
      if (wanted === undefined)
        throw new Error('This is not the address of a site. It looks like https://www.example.com.')
      this.#project = await this.#store(wanted)
      this.#origin.value = ''
      this.#said.replaceChildren()
      this.#show()
      announce(`Pages on ${wanted} can now show the reviews.`)
    } catch (error) {
      showProblem(this.#said, error, `${wanted ?? this.#origin.value} for ${this.#context.project.name}`)
    }
  }

  async #store(wanted: string): Promise<ConsoleProject> {
    const patch = ({ revision }: ConsoleProject) =>
      call<ConsoleProject>('PATCH', this.#context.ofProject(), { body: { revision, add_origin: wanted } })
    try {
      return await patch(this.#project)
    } catch (error) {
      const current = currentProject(error)
      if (!current) throw error
      // Adding an origin does not conflict with other changes, so it is retried once.
      return patch(current)
    }
  }
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
