import { pluralize } from '../../src/contract/counts.ts'
import type { ImportResponse } from '../../src/contract/import.ts'
import { IMPORT_FILE_BYTES } from '../../src/contract/limits.ts'
import { ApiError, call, errorText, send } from '../api.ts'
import type { Context } from '../context.ts'
import { announce, button, el, type Fact, factList, focusKeeper } from '../dom.ts'
import { latestOnly, showProblem } from '../latest-only.ts'
import { columnQuestions, type Mapping, needsColumns, readingChoices, refusalChoices } from './import-choices.ts'
import { inPageWords } from './import-words.ts'

/** The event on `window` after an import, which may end when its view has been left and opened again. */
export const IMPORTED = 'pullquote-imported'

/** A box to drop or choose a file. A dry run first shows what the import would do. */
export function importBox({ project, ofEnv, env, signal }: Context): HTMLElement {
  const outcome = el('div', { 'aria-live': 'polite' })
  const input = el('input', {
    type: 'file',
    id: 'import-file',
    accept: '.csv,.tsv,.json,.jsonl,.ndjson,.geojson,.xml,.xlsx,.txt,.zip',
  })
  const box = el(
    'div',
    { class: 'drop' },
    el('label', { for: 'import-file' }, 'Import reviews: drop an export here, or choose one'),
    input,
    el(
      'p',
      { class: 'hint' },
      'CSV, Excel (.xlsx), JSON, XML or ZIP from Google, Yelp, Trustpilot and others, up to 10 MiB. You see what it would do before anything is stored.',
    ),
    outcome,
  )
  /** Renders the choices for the file; kept when the next attempt is rejected. */
  let choices: ((mapping: Mapping) => HTMLElement) | undefined
  let isStoring = false
  const begin = (file: File) => {
    choices = undefined
    void attempt(file, {})
  }
  const attempt = latestOnly(signal, outcome, async (mine, chosen: File, mapping: Mapping) => {
    const { name } = chosen
    if (chosen.size > IMPORT_FILE_BYTES)
      return problem(`${name} is too large: a file may be at most ${IMPORT_FILE_BYTES / 2 ** 20} MiB.`)
    if (chosen.size === 0) return problem(`${name} is empty.`)
    // The focused control is found again by its index, for keyboard users.
    const controls = () => [...outcome.querySelectorAll<HTMLElement>('select, input')]
    const at = controls().indexOf(document.activeElement as HTMLElement)
    const keepFocus = focusKeeper(outcome)
    outcome.replaceChildren(el('p', `Trying ${name} …`))
    try {
      const file = await copyOf(chosen)
      const answer = await upload(file, true, mapping, mine)
      if (mine.aborted) return
      const offered = (chosen: Mapping) => readingChoices(answer, chosen, (next) => void attempt(file, next))
      choices = offered
      const hides = answer.missing?.hidden ? answer.missing.count : 0
      const wouldDo = answer.inserted + answer.updated - answer.unchanged + hides
      const go = button(`Import into ${env}`, () => store(file, mapping))
      const no = button('Cancel', clear, { class: 'plain' })
      outcome.replaceChildren(
        el('h2', `What importing ${name} would do`),
        report(answer),
        offered(mapping),
        wouldDo > 0 ? el('div', { class: 'actions' }, go, no) : el('p', 'There is nothing new in it.'),
      )
    } catch (error) {
      if (mine.aborted) return
      refused(error, chosen, mapping)
    }
    controls()[at]?.focus()
    keepFocus()
  })
  const store = async (file: File, mapping: Mapping) => {
    const keepFocus = focusKeeper(outcome)
    isStoring = true
    input.disabled = true
    addEventListener('beforeunload', askToStay)
    // Another choice would start a second run alongside.
    for (const control of outcome.querySelectorAll<HTMLButtonElement>('button, select, input')) control.disabled = true
    outcome.append(el('p', `Importing ${file.name} … Keep this page open until it is done.`))
    try {
      const answer = await upload(file, false, mapping)
      outcome.replaceChildren(el('h2', `${file.name} was imported`), report(answer))
      if (answer.errors_csv) outcome.append(errorsLink(answer.errors_csv))
      announce(`Imported into ${project.name}, ${env}. New reviews appear as they are indexed.`)
      dispatchEvent(new Event(IMPORTED))
    } catch (cause) {
      const error = cause instanceof ApiError ? cause : maybeStored(cause)
      if (outcome.isConnected) refused(error, file, mapping)
      else showProblem(outcome, error, `${file.name}, into ${project.name}, ${env}`)
    }
    removeEventListener('beforeunload', askToStay)
    input.disabled = false
    isStoring = false
    keepFocus()
  }
  const refused = (error: unknown, file: File, mapping: Mapping) => {
    const retry = (chosen: Mapping) => void attempt(file, chosen)
    if (needsColumns(error)) choices ??= (chosen) => columnQuestions(errorText(error), chosen, retry)
    problem(inPageWords(errorText(error)))
    outcome.append(refusalChoices(error, mapping, retry) ?? '', choices?.(mapping) ?? '')
  }
  /** @param signal omitted when storing, which leaving the view must not abort */
  const upload = (file: File, dryRun: boolean, mapping: Mapping, signal?: AbortSignal) => {
    const name = file.name.slice(0, 255) || 'upload'
    const query = new URLSearchParams({ file_name: name, dry_run: `${dryRun}`, mapping: JSON.stringify(mapping) })
    return call<ImportResponse>('POST', ofEnv(`imports?${query}`), { body: file, timeoutMs: 0, signal })
  }
  const errorsLink = (path: string) => {
    const get = async () => {
      try {
        const id = /imports\/([^/]+)\//.exec(path)?.[1] ?? ''
        const response = await send('GET', ofEnv(`imports/${id}/errors.csv`))
        // Reading as text strips the byte order mark, by which spreadsheets recognise the encoding.
        const url = URL.createObjectURL(new Blob(['\ufeff', inPageWords(await response.text())], { type: 'text/csv' }))
        el('a', { href: url, download: 'errors.csv' }).click()
        // Safari starts reading a moment later.
        setTimeout(() => URL.revokeObjectURL(url), 60_000)
      } catch (error) {
        announce(errorText(error))
      }
    }
    return el('p', button('Download errors.csv', get, { class: 'plain' }))
  }
  const problem = (text: string) => outcome.replaceChildren(el('p', { class: 'problem' }, text))
  const clear = () => {
    outcome.replaceChildren()
    input.value = ''
    input.focus()
  }
  input.addEventListener('change', () => {
    const file = input.files?.[0]
    if (file) begin(file)
    // Allows choosing the same file again after it was corrected.
    input.value = ''
  })
  box.addEventListener('dragover', (event) => {
    event.preventDefault()
    box.classList.add('over')
  })
  box.addEventListener('dragleave', () => box.classList.remove('over'))
  box.addEventListener('drop', (event) => {
    event.preventDefault()
    box.classList.remove('over')
    const [file, ...others] = event.dataTransfer?.files ?? []
    if (isStoring) announce('Please wait until the previous file is stored.')
    else if (others.length > 0) problem('Please import one file at a time, or several as a ZIP.')
    else if (file) begin(file)
  })
  return box
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

/** The same report as the command's. */
function report(answer: ImportResponse) {
  const { inserted, updated, unchanged, skipped, files, missing, samples } = answer
  const facts: Fact[] = [
    [answer.dry_run ? 'New' : 'Imported', pluralize(inserted, 'review')],
    ['Updated', `${pluralize(updated - unchanged, 'review')}, ${unchanged.toLocaleString('en')} unchanged`],
    ['Left out', pluralize(skipped, 'row')],
  ]
  for (const [reason, count] of Object.entries(answer.reasons)) facts.push([`– ${reason.replaceAll('_', ' ')}`, count])
  for (const { file, profile, encoding, rows } of files)
    facts.push([file, `read as ${profile}, ${encoding}, ${pluralize(rows, 'row')}`])
  for (const { columns, unused } of files) {
    const from = Object.entries(columns).map(([name, headers]) => `${name} from ${headers.join(' or ')}`)
    facts.push(['Columns', from.join('; ')])
    if (unused.length > 0) facts.push(['Not used', unused.join(', ')])
  }
  for (const { dates } of files) {
    if (!dates) continue
    const order = dates.order === 'day_first' ? 'day before month' : 'month before day'
    const check = dates.because === 'nothing' ? '; nothing in the file shows which, please check' : ''
    facts.push(['Dates', order + check])
  }
  for (const { file, reason } of answer.passed_over) facts.push([`Not imported: ${file}`, reason])
  for (const { code, message, count } of answer.warnings) {
    // For a single file the dates are reported above already.
    if (code === 'dates' && files.length <= 1) continue
    facts.push(['Note', inPageWords(count > 1 ? `${message} (${count} times)` : message)])
  }
  for (const { author_name: author, occurred_at: at, text } of (missing?.reviews ?? []).slice(0, 10))
    facts.push(['Missing', el('bdi', author ?? 'no name'), `, ${at.slice(0, 10)}: “`, el('bdi', text), '”'])
  for (const { line, message } of (samples?.skipped ?? []).slice(0, 5))
    facts.push([`Line ${line}`, inPageWords(message)])
  return factList(facts)
}
