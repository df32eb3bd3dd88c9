import { tagHtml } from '../../snippet/tag-html.ts'
import { call, errorText } from '../api.ts'
import type { Context } from '../context.ts'
import { announce, button, el } from '../dom.ts'
import type { TagForm } from './tag-form.ts'

const NO_KEY = 'YOUR_PUBLISHABLE_KEY'
const KEY_IS_THERE = 'The key is in the tag. It is safe to publish, and is shown until you sign out or close this page.'
const KEY_IS_MISSING =
  'The tag needs a key: create one here, or paste in your own. Keys are not stored, so they cannot be shown again.'

/** The tag that the form describes, to copy, and the key that it needs. */
export class TagCode {
  readonly #context: Context
  readonly #form: TagForm
  readonly #code = el('code')
  readonly #tag = el('pre', { tabindex: 0, role: 'group', 'aria-label': 'The tag' }, this.#code)
  readonly #keyButton: HTMLButtonElement
  readonly #keySaid: HTMLElement

  constructor(context: Context, form: TagForm) {
    this.#context = context
    this.#form = form
    const hasKey = this.#key !== undefined
    this.#keySaid = el('p', { class: 'hint', role: 'status' }, hasKey ? KEY_IS_THERE : KEY_IS_MISSING)
    const label = `Create a ${context.env} key`
    this.#keyButton = button(label, () => this.#createKey(), { class: 'plain', disabled: hasKey })
  }

  get elements(): HTMLElement[] {
    const copy = button('Copy', () => this.#copy())
    return [this.#tag, el('div', { class: 'actions' }, copy, this.#keyButton), this.#keySaid]
  }

  write(): void {
    const script = new URL('snippet.js', document.baseURI).href
    this.#code.textContent = tagHtml(this.#form.attributes(this.#key ?? NO_KEY), script, [], '\n  ')
  }

  get #keyPath(): string {
    return this.#context.ofEnv('key')
  }

  get #key(): string | undefined {
    return this.#context.tagState.keys.get(this.#keyPath)
  }

  async #createKey(): Promise<void> {
    this.#keyButton.disabled = true
    try {
      const { key } = await call<{ key: string }>('POST', this.#keyPath)
      this.#context.tagState.keys.set(this.#keyPath, key)
      this.write()
      this.#keySaid.textContent = KEY_IS_THERE
      // The pressed button stays disabled.
      if (document.activeElement === document.body) this.#tag.focus()
    } catch (error) {
      this.#keyButton.disabled = false
      this.#keySaid.textContent = errorText(error)
    }
  }

  async #copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.#code.textContent ?? '')
      announce(
        this.#key === undefined
          ? `Copied, without a key: create one and copy again, or put your own in place of ${NO_KEY}.`
          : 'Copied.',
      )
    } catch {
      getSelection()?.selectAllChildren(this.#code)
      announce('Selected: press Ctrl-C to copy.')
    }
  }
}
