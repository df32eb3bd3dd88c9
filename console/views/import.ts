import type { ImportResponse } from '../../src/contract/import.ts'
import { IMPORT_FILE_BYTES } from '../../src/contract/limits.ts'
import { ApiError, call, errorText, send } from '../api.ts'
import type { Context } from '../context.ts'
import { announce, button, el, focusKeeper } from '../dom.ts'
import { latestOnly, showProblem } from '../latest-only.ts'
import { columnQuestions, type Mapping, needsColumns, readingChoices, refusalChoices } from './import-choices.ts'
import { importReport } from './import-report.ts'
import { inPageWords } from './import-words.ts'

/** The event on `window` after an import, which may end when its view has been left and opened again. */
export const IMPORTED = 'pullquote-imported'

const ACCEPTED = '.csv,.tsv,.json,.jsonl,.ndjson,.geojson,.xml,.xlsx,.txt,.zip'
const HINT =
  'CSV, Excel (.xlsx), JSON, XML or ZIP from Google, Yelp, Trustpilot and others, up to 10 MiB. You see what it would do before anything is stored.'

/** A box to drop or choose a file. A dry run first shows what the import would do. */
export function importBox(context: Context): HTMLElement {
  return new ImportBox(context).element
}

class ImportBox {
  readonly element: HTMLElement
  readonly #context: Context
  readonly #input = el('input', { type: 'file', id: 'import-file', accept: ACCEPTED })
  readonly #outcome = el('div', { 'aria-live': 'polite' })
  /** Tries a file: shows what importing it would do. */
  readonly #attempt: (file: File, mapping: Mapping) => Promise<void>
  /** Renders the choices for the file; kept when the next attempt is rejected. */
  #choices: ((mapping: Mapping) => HTMLElement) | undefined
  #isStoring = false

  constructor(context: Context) {
    this.#context = context
    this.#attempt = latestOnly(context.signal, this.#outcome, (mine, file: File, mapping: Mapping) =>
      this.#tryFile(mine, file, mapping),
    )
    this.element = el(
      'div',
      { class: 'drop' },
      el('label', { for: 'import-file' }, 'Import reviews: drop an export here, or choose one'),
      this.#input,
      el('p', { class: 'hint' }, HINT),
      this.#outcome,
    )
    this.#listen()
  }

  #listen(): void {
    const { element } = this
    this.#input.addEventListener('change', () => {
      const file = this.#input.files?.[0]
      if (file) this.#begin(file)
      // Allows choosing the same file again after it was corrected.
      this.#input.value = ''
    })
    element.addEventListener('dragover', (event) => {
      event.preventDefault()
      element.classList.add('over')
    })
    element.addEventListener('dragleave', () => element.classList.remove('over'))
    element.addEventListener('drop', (event) => {
      event.preventDefault()
      element.classList.remove('over')
      const [file, ...others] = event.dataTransfer?.files ?? []
      if (this.#isStoring) announce('Please wait until the previous file is stored.')
      else if (others.length > 0) this.#problem('Please import one file at a time, or several as a ZIP.')
      else if (file) this.#begin(file)
    })
  }

  #begin(file: File): void {
    this.#choices = undefined
    void this.#attempt(file, {})
  }

  async #tryFile(mine: AbortSignal, chosen: File, mapping: Mapping): Promise<void> {
    const { name, size } = chosen
    if (size > IMPORT_FILE_BYTES)
      return this.#problem(`${name} is too large: a file may be at most ${IMPORT_FILE_BYTES / 2 ** 20} MiB.`)
    if (size === 0) return this.#problem(`${name} is empty.`)
    // The focused control is found again by its index, for keyboard users.
    const controls = () => [...this.#outcome.querySelectorAll<HTMLElement>('select, input')]
    const at = controls().indexOf(document.activeElement as HTMLElement)
    const keepFocus = focusKeeper(this.#outcome)
    this.#outcome.replaceChildren(el('p', `Trying ${name} …`))
    try {
      const file = await copyOf(chosen)
      const answer = await this.#upload(file, true, mapping, mine)
      if (mine.aborted) return
      this.#offer(answer, file, mapping)
    } catch (error) {
      if (mine.aborted) return
      this.#refuse(error, chosen, mapping)
    }
    controls()[at]?.focus()
    keepFocus()
  }

  /** Shows what the import would do, to be confirmed or read otherwise. */
  #offer(answer: ImportResponse, file: File, mapping: Mapping): void {
    const choices = (chosen: Mapping) => readingChoices(answer, chosen, (next) => void this.#attempt(file, next))
    this.#choices = choices
    const { inserted, updated, unchanged, missing } = answer
    const changes = inserted + updated - unchanged + (missing?.hidden ? missing.count : 0)
    const store = button(`Import into ${this.#context.env}`, () => this.#store(file, mapping))
    const cancel = button('Cancel', () => this.#clear(), { class: 'plain' })
    this.#outcome.replaceChildren(
      el('h2', `What importing ${file.name} would do`),
      importReport(answer),
      choices(mapping),
      changes > 0 ? el('div', { class: 'actions' }, store, cancel) : el('p', 'There is nothing new in it.'),
    )
  }

  async #store(file: File, mapping: Mapping): Promise<void> {
    const { name } = file
    const { project, env } = this.#context
    const outcome = this.#outcome
    const keepFocus = focusKeeper(outcome)
    this.#isStoring = true
    this.#input.disabled = true
    addEventListener('beforeunload', askToStay)
    // Another choice would start a second run alongside.
    for (const control of outcome.querySelectorAll<HTMLButtonElement>('button, select, input')) control.disabled = true
    outcome.append(el('p', `Importing ${name} … Keep this page open until it is done.`))
    try {
      const answer = await this.#upload(file, false, mapping)
      outcome.replaceChildren(el('h2', `${name} was imported`), importReport(answer))
      if (answer.errors_csv) outcome.append(this.#errorsLink(answer.errors_csv))
      announce(`Imported into ${project.name}, ${env}. New reviews appear as they are indexed.`)
      dispatchEvent(new Event(IMPORTED))
    } catch (cause) {
      const error = cause instanceof ApiError ? cause : maybeStored(cause)
      if (outcome.isConnected) this.#refuse(error, file, mapping)
      else showProblem(outcome, error, `${name}, into ${project.name}, ${env}`)
    }
    removeEventListener('beforeunload', askToStay)
    this.#input.disabled = false
    this.#isStoring = false
    keepFocus()
  }

  #refuse(error: unknown, file: File, mapping: Mapping): void {
    const retry = (chosen: Mapping) => void this.#attempt(file, chosen)
    if (needsColumns(error)) this.#choices ??= (chosen) => columnQuestions(errorText(error), chosen, retry)
    this.#problem(inPageWords(errorText(error)))
    this.#outcome.append(refusalChoices(error, mapping, retry) ?? '', this.#choices?.(mapping) ?? '')
  }

  /** @param signal omitted when storing, which leaving the view must not abort */
  #upload(file: File, dryRun: boolean, mapping: Mapping, signal?: AbortSignal): Promise<ImportResponse> {
    const name = file.name.slice(0, 255) || 'upload'
    const query = new URLSearchParams({ file_name: name, dry_run: `${dryRun}`, mapping: JSON.stringify(mapping) })
    return call('POST', this.#context.ofEnv(`imports?${query}`), { body: file, timeoutMs: 0, signal })
  }

  #errorsLink(path: string): HTMLElement {
    const id = /imports\/([^/]+)\//.exec(path)?.[1] ?? ''
    const get = () => download(this.#context.ofEnv(`imports/${id}/errors.csv`)).catch((e) => announce(errorText(e)))
    return el('p', button('Download errors.csv', get, { class: 'plain' }))
  }

  #problem(text: string): void {
    this.#outcome.replaceChildren(el('p', { class: 'problem' }, text))
  }

  #clear(): void {
    this.#outcome.replaceChildren()
    this.#input.value = ''
    this.#input.focus()
  }
}

async function download(path: string): Promise<void> {
  const response = await send('GET', path)
  // Reading as text strips the byte order mark, by which spreadsheets recognise the encoding.
  const url = URL.createObjectURL(new Blob(['\ufeff', inPageWords(await response.text())], { type: 'text/csv' }))
  el('a', { href: url, download: 'errors.csv' }).click()
  // Safari starts reading a moment later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Has the browser ask before it closes or reloads the page, which would break off the upload. */
function askToStay(event: BeforeUnloadEvent): void {
  event.preventDefault()
  // Chrome before 119 looks only at this.
  event.returnValue = true
}

/** What to say when the connection was lost, perhaps only after the server had stored the file. */
function maybeStored(error: unknown): Error {
  return new Error(
    `${errorText(error)} The file may have been stored all the same: choose it again to see. Nothing is stored twice.`,
  )
}

/** A copy in memory, so that what was tried is what is stored even if the file changes. @throws when it is unreadable */
async function copyOf(file: File): Promise<File> {
  try {
    return new File([await file.arrayBuffer()], file.name)
  } catch {
    throw new Error(`${file.name} cannot be read. It may be a folder, or may have been moved. Choose it again.`)
  }
}
