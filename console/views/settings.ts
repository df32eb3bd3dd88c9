import type { ConsoleProject, TriedQuery } from '../../src/contract/console.ts'
import { pluralize } from '../../src/contract/counts.ts'
import { RATING } from '../../src/contract/limits.ts'
import { floorText } from '../../src/contract/score-text.ts'
import { call, currentProject } from '../api.ts'
import type { Context, ProposedSettings } from '../context.ts'
import { announce, button, checkbox, debounce, el, field, onSubmit } from '../dom.ts'
import { latestOnly, showProblem } from '../latest-only.ts'
import { settingsEffect } from './settings-effect.ts'

const PAUSE_MS = 300

/** Floor, lowest rating and complaints, with the effect of unsaved changes on the most frequent queries. */
export async function settingsView(body: HTMLElement, context: Context): Promise<void> {
  const saved = await call<ConsoleProject>('GET', context.ofProject(), { signal: context.signal })
  const form = new SettingsForm(context, saved)
  body.append(el('div', { class: 'columns' }, form.element, el('div', el('h2', 'What would change'), ...form.effect)))
  form.show({ ...saved, ...context.unsaved.get(context.project.id) })
}

class SettingsForm {
  // Only the summary is announced: a step of a slider would have dozens of excerpts read aloud.
  readonly #summary = el('div', { 'aria-live': 'polite' })
  readonly #queries = el('div')
  readonly effect = [this.#summary, this.#queries]
  readonly #context: Context
  readonly #floor = unitSlider()
  readonly #scale = unitSlider()
  readonly #rating = el('input', { type: 'range', ...RATING, step: 1 })
  readonly #complaints = el('input', { type: 'checkbox' })
  // Screen readers say the value with the slider already.
  readonly #floorSaid = el('output', { 'aria-live': 'off' })
  readonly #ratingSaid = el('output', { 'aria-live': 'off' })
  readonly #problem = el('div', { role: 'alert' })
  readonly #save = el('button', { type: 'submit' }, 'Save')
  readonly #undo = button('Undo changes', () => this.#takeBack(), { class: 'plain' })
  readonly #unsavedHint = el('p', { class: 'hint', hidden: true }, 'Not saved yet.')
  readonly #tryLater: () => void
  /** As last seen on the server. */
  #saved: ConsoleProject
  #isSaving = false

  constructor(context: Context, saved: ConsoleProject) {
    this.#context = context
    this.#saved = saved
    const tryOut = latestOnly(context.signal, this.#summary, (mine) => this.#tryOut(mine))
    this.#tryLater = debounce(PAUSE_MS, tryOut)
    const controls = [this.#floor, this.#rating, this.#complaints]
    for (const control of controls) control.addEventListener('input', () => this.#changed())
  }

  get element(): HTMLElement {
    const floorHint = 'Lower shows more; higher keeps only the best matches.'
    const ratingHint = 'Reviews without stars appear unless they sound negative.'
    const complaints = 'Leave out sentences that sound like complaints, whatever the review’s rating'
    return el(
      'form',
      { class: 'settings', onsubmit: onSubmit(() => this.#submit()) },
      sliderField('How close a match must be', this.#floor, this.#floorSaid, floorHint),
      sliderField('Lowest rating', this.#rating, this.#ratingSaid, ratingHint),
      checkbox(complaints, this.#complaints),
      this.#problem,
      el('div', { class: 'actions' }, this.#save, this.#undo),
      this.#unsavedHint,
    )
  }

  show({ similarity_floor, min_rating, excerpts }: ProposedSettings): void {
    this.#floor.value = `${similarity_floor}`
    this.#rating.value = `${min_rating}`
    this.#complaints.checked = excerpts === 'no_complaints'
    this.#changed()
  }

  get #proposed(): ProposedSettings {
    return {
      similarity_floor: Number(this.#floor.value),
      min_rating: Number(this.#rating.value),
      excerpts: this.#complaints.checked ? 'no_complaints' : 'all',
    }
  }

  /** A stored floor in the slider's own steps. */
  #inSteps(stored: number): number {
    this.#scale.value = `${stored}`
    return Number(this.#scale.value)
  }

  /** The proposed settings that differ from `base`. */
  #changesTo(base: ProposedSettings): Partial<ProposedSettings> {
    const { similarity_floor, min_rating, excerpts } = this.#proposed
    return {
      ...(similarity_floor === this.#inSteps(base.similarity_floor) ? {} : { similarity_floor }),
      ...(min_rating === base.min_rating ? {} : { min_rating }),
      ...(excerpts === base.excerpts ? {} : { excerpts }),
    }
  }

  get #changes(): Partial<ProposedSettings> {
    return this.#changesTo(this.#saved)
  }

  get #isChanged(): boolean {
    return Object.keys(this.#changes).length > 0
  }

  /** What saving would make of the settings: a stored floor between two steps stays. */
  get #outcome(): ProposedSettings {
    return { ...this.#proposed, similarity_floor: this.#saved.similarity_floor, ...this.#changes }
  }

  #changed(): void {
    const { similarity_floor, min_rating } = this.#outcome
    const isChanged = this.#isChanged
    this.#floorSaid.textContent = floorText(similarity_floor)
    this.#ratingSaid.textContent = min_rating === 1 ? 'all reviews' : pluralize(min_rating, 'star')
    this.#rating.setAttribute('aria-valuetext', this.#ratingSaid.textContent)
    this.#save.disabled = this.#isSaving || !isChanged
    this.#undo.disabled = !isChanged
    this.#unsavedHint.hidden = !isChanged
    const { project, unsaved } = this.#context
    if (isChanged) unsaved.set(project.id, this.#changes)
    else unsaved.delete(project.id)
    this.#tryLater()
  }

  async #tryOut(mine: AbortSignal): Promise<void> {
    const sending = { body: this.#outcome, signal: mine }
    const { queries } = await call<{ queries: TriedQuery[] }>('POST', this.#context.ofEnv('try'), sending)
    if (mine.aborted) return
    const [summary, ...changed] = settingsEffect(queries, this.#isChanged)
    this.#summary.replaceChildren(summary)
    this.#queries.replaceChildren(...changed)
  }

  #takeBack(): void {
    this.show(this.#saved)
    // The pressed button is disabled now.
    this.#floor.focus()
  }

  async #submit(): Promise<void> {
    const { project, ofProject } = this.#context
    const chosen = this.#changes
    const sent = this.#proposed
    this.#isSaving = true
    this.#save.disabled = true
    this.#problem.replaceChildren()
    try {
      const body = { revision: this.#saved.revision, ...chosen }
      this.#saved = await call<ConsoleProject>('PATCH', ofProject(), { body })
      this.#isSaving = false
      // Keeps what the user changed during the request.
      this.show({ ...this.#saved, ...this.#changesTo(sent) })
      announce('Saved. New searches use these settings.')
      // The pressed button is disabled now.
      if (document.activeElement === document.body) this.#floor.focus()
    } catch (error) {
      this.#isSaving = false
      showProblem(this.#problem, error, `Settings of ${project.name}`)
      const current = currentProject(error)
      if (!current) return this.#changed()
      // The user's own changes are kept on top of the other user's, to be saved again.
      this.#saved = current
      this.show({ ...this.#saved, ...chosen, ...this.#changesTo(sent) })
    }
  }
}

function unitSlider(): HTMLInputElement {
  return el('input', { type: 'range', min: 0, max: 1, step: 0.01 })
}

function sliderField(label: string, control: HTMLElement, output: HTMLOutputElement, hint: string): HTMLElement {
  const made = field(label, control, hint, el('div', { class: 'slider' }, control, output))
  output.setAttribute('for', control.id)
  return made
}
