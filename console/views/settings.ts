import type { ConsoleProject, TriedQuery, TriedResult } from '../../src/contract/console.ts'
import { pluralize } from '../../src/contract/counts.ts'
import { RATING } from '../../src/contract/limits.ts'
import { floorText } from '../../src/contract/score-text.ts'
import { ApiError, call } from '../api.ts'
import type { Context, ProposedSettings } from '../context.ts'
import { announce, button, checkbox, debounce, el, field, onSubmit, stars } from '../dom.ts'
import { latestOnly, showProblem } from '../latest-only.ts'

const PAUSE_MS = 300

/** Floor, lowest rating and complaints, with the effect of unsaved changes on the most frequent queries. */
export async function settingsView(body: HTMLElement, context: Context): Promise<void> {
  const { project, ofProject, ofEnv, signal, unsaved } = context
  let saved = await call<ConsoleProject>('GET', ofProject(), { signal })
  const slider = () => el('input', { type: 'range', min: 0, max: 1, step: 0.01 })
  const floor = slider()
  const scale = slider()
  const rating = el('input', { type: 'range', ...RATING, step: 1 })
  const complaints = el('input', { type: 'checkbox' })
  // Screen readers say the value with the slider already.
  const floorSaid = el('output', { 'aria-live': 'off' })
  const ratingSaid = el('output', { 'aria-live': 'off' })
  const effect = el('div', { 'aria-live': 'polite' })
  const problem = el('div', { role: 'alert' })
  const save = el('button', { type: 'submit' }, 'Save')
  const undo = button('Undo changes', () => takeBack(), { class: 'plain' })

  const unsavedHint = el('p', { class: 'hint', hidden: true }, 'Not saved yet.')

  const proposed = (): ProposedSettings => ({
    similarity_floor: Number(floor.value),
    min_rating: Number(rating.value),
    excerpts: complaints.checked ? 'no_complaints' : 'all',
  })
  /** A stored floor in the slider's own steps. */
  const inSteps = (stored: number) => {
    scale.value = `${stored}`
    return Number(scale.value)
  }
  /** The proposed settings that differ from `base`, by default from those last seen on the server. */
  const changes = (base: ProposedSettings = saved) => {
    const { similarity_floor, min_rating, excerpts } = proposed()
    return {
      ...(similarity_floor === inSteps(base.similarity_floor) ? {} : { similarity_floor }),
      ...(min_rating === base.min_rating ? {} : { min_rating }),
      ...(excerpts === base.excerpts ? {} : { excerpts }),
    }
  }
  /** What saving would make of the settings: a stored floor between two steps stays. */
  const outcome = () => ({ ...proposed(), similarity_floor: saved.similarity_floor, ...changes() })
  const isChanged = () => Object.keys(changes()).length > 0
  let isSaving = false
  const say = () => {
    const { similarity_floor, min_rating } = outcome()
    floorSaid.textContent = floorText(similarity_floor)
    ratingSaid.textContent = min_rating === 1 ? 'all reviews' : pluralize(min_rating, 'star')
    rating.setAttribute('aria-valuetext', ratingSaid.textContent)
    save.disabled = isSaving || !isChanged()
    undo.disabled = !isChanged()
    unsavedHint.hidden = !isChanged()
    if (isChanged()) unsaved.set(project.id, changes())
    else unsaved.delete(project.id)
  }
  const tryOut = latestOnly(signal, effect, async (mine) => {
    const sending = { body: outcome(), signal: mine }
    const { queries } = await call<{ queries: TriedQuery[] }>('POST', ofEnv('try'), sending)
    if (!mine.aborted) effect.replaceChildren(...effectOf(queries, isChanged()))
  })
  const later = debounce(PAUSE_MS, tryOut)
  const changed = () => {
    say()
    later()
  }
  const show = ({ similarity_floor, min_rating, excerpts }: ProposedSettings) => {
    floor.value = `${similarity_floor}`
    rating.value = `${min_rating}`
    complaints.checked = excerpts === 'no_complaints'
    changed()
  }
  const takeBack = () => {
    show(saved)
    // The pressed button is disabled now.
    floor.focus()
  }
  const submit = async () => {
    isSaving = true
    save.disabled = true
    problem.replaceChildren()
    const chosen = changes()
    const sent = proposed()
    try {
      saved = await call<ConsoleProject>('PATCH', ofProject(), { body: { revision: saved.revision, ...chosen } })
      isSaving = false
      // Keeps what the user changed during the request.
      show({ ...saved, ...changes(sent) })
      announce('Saved. New searches use these settings.')
      // The pressed button is disabled now.
      if (document.activeElement === document.body) floor.focus()
    } catch (error) {
      isSaving = false
      showProblem(problem, error, `Settings of ${project.name}`)
      if (!(error instanceof ApiError && error.status === 409)) return changed()
      // The user's own changes are kept on top of the other user's, to be saved again.
      saved = (error.body as { current: ConsoleProject }).current
      show({ ...saved, ...chosen, ...changes(sent) })
    }
  }
  for (const control of [floor, rating, complaints]) control.addEventListener('input', changed)
  const form = el(
    'form',
    { class: 'settings', onsubmit: onSubmit(submit) },
    sliderField('How close a match must be', floor, floorSaid, 'Lower shows more; higher keeps only the best matches.'),
    sliderField('Lowest rating', rating, ratingSaid, 'Reviews without stars appear unless they sound negative.'),
    checkbox('Leave out sentences that sound like complaints, whatever the review’s rating', complaints),
    problem,
    el('div', { class: 'actions' }, save, undo),
    unsavedHint,
  )
  body.append(el('div', { class: 'columns' }, form, el('div', el('h2', 'What would change'), effect)))
  show({ ...saved, ...unsaved.get(project.id) })
}

function sliderField(label: string, control: HTMLElement, output: HTMLOutputElement, hint: string): HTMLElement {
  const made = field(label, control, hint, el('div', { class: 'slider' }, control, output))
  output.setAttribute('for', control.id)
  return made
}

function effectOf(queries: TriedQuery[], isChange: boolean): HTMLElement[] {
  if (queries.length === 0) {
    return [
      el(
        'p',
        'No visitor searches have been counted yet. Once there are some, your changes are tried here on the most frequent ones.',
      ),
    ]
  }
  const asked = queries.length === 1 ? 'the only search so far' : `the ${queries.length} most frequent searches`
  if (!isChange) return [el('p', `Change a setting to try it on ${asked}.`)]
  const differing = queries.filter(({ comes_in, drops_out }) => comes_in.length + drops_out.length > 0)
  if (differing.length === 0) {
    return [el('p', `No change in the first five cards of ${asked}.`)]
  }
  const sum = (pick: (one: TriedQuery) => unknown[]) => differing.reduce((all, one) => all + pick(one).length, 0)
  const [more, less] = [sum((one) => one.comes_in), sum((one) => one.drops_out)]
  const summary = `Of ${asked}, ${differing.length} would change: ${pluralize(more, 'card')} would enter the first five, ${less} would leave.`
  const item = (kind: 'in' | 'out') => (one: TriedResult) =>
    el(
      'li',
      { class: kind },
      el('b', kind === 'in' ? 'enters' : 'leaves'),
      stars(one.rating),
      el('span', { dir: 'auto' }, one.excerpt),
    )
  return [
    el('p', summary),
    ...differing.map(({ query, searches, comes_in, drops_out }) =>
      el(
        'section',
        { class: 'tried' },
        el(
          'h3',
          el('span', { dir: 'auto' }, query),
          ' ',
          el('span', { class: 'soft' }, `searched ${pluralize(searches, 'time')}`),
        ),
        el('ul', { class: 'plain-list', role: 'list' }, ...comes_in.map(item('in')), ...drops_out.map(item('out'))),
      ),
    ),
  ]
}
