import type { ImportedFile } from '../../contract/import.ts'
import type { ImportOptions } from '../formats/mapping.ts'
import { quoted } from '../quoted.ts'
import { describeEncoding } from '../read/encodings/encoding.ts'
import { CUT_OFF } from '../read/mid-line.ts'
import { describeDateOrder } from './date-order.ts'
import { describeLostMetadata } from './lost-metadata.ts'
import { describeLater, describeMissing, describeOtherProducts, describeStillShown } from './missing-reviews.ts'
import { describeReadOtherwise } from './read-otherwise.ts'
import type { ImportedTable } from './row.ts'
import type { ImportResult, NotedRows } from './run.ts'

/** Notes about rows that are imported anyway, each reported once per import: what "3 rows have". */
const SENTENCES = {
  double_encoded:
    'double-encoded text (such as "Ã©" for "é", or control characters for dashes and quotes), imported as it is: --repair-encoding repairs it',
  repaired: 'double-encoded text, which was repaired',
  damaged_text: 'the character � where letters were lost before this import',
  question_marks:
    'question marks, probably for letters that were lost before this import: imported as they are; better export them in UTF-8',
  written_breaks: '"\\n" in the text, probably for a line break: imported as it is; better export them as CSV or JSON',
  written_slashes: `a backslash before an apostrophe ("it\\'s"), probably added by a program: imported as it is; better export them without it`,
  markup:
    'BBCode or Markdown ([b], [url=…], [words](https://…)) in the text, whose signs a page shows: imported as it is; better export plain texts',
  cut_text:
    'a text that ends in "…", "..." or "Read more" and was probably cut short: imported as it is; better export the full texts',
  experience_date: `a text that ends in "Date of experience: …", which Trustpilot's pages add: kept as metadata.date_of_experience, not in the text`,
  detailed_ratings: `a text that ends in "Food: 5/5 | Service: 5/5", as Google's pages show below reviews: kept as metadata.detailed_ratings, not in the text`,
  page_words:
    'words of the page around the text ("Read more", "Trip Verified |"): left out; after "Read more" the rest of a review is missing, so better export the full texts',
  reply_cut: `a text that goes on with the business's reply ("Response from the owner 2 weeks ago …"), as it was copied from a page: the reply is left out`,
  reply_like: `a text that thanks for a review ("Thank you for your feedback …"), as the business's reply does: imported as it is, and pages would quote it as a customer's; look at these rows, and leave the replies out of the file or hide them`,
  link_left_out: 'an address that is not a web link: left out',
  link_cut: 'an address with a token, key or e-mail address of its visitor, which is left out of it',
  language_left_out: 'an unknown language: left out',
  metadata_cut: 'more than 32 metadata entries, or one of more than 512 characters: cut',
  unknown_status: 'an unknown status: imported as hidden',
  hidden: 'a status that hides a review from the public: imported as hidden',
  unread_status:
    'an unknown status: imported as shown, since the column may not be about publishing (--map status=… names the one that is)',
  unknown_source:
    'a platform that Pullquote does not know: imported as "custom", with the name in metadata.source_name',
  author_cut: `an e-mail address or telephone number, or words of a page ("Local Guide · 12 reviews"), in the author's name: removed, and a name that is nothing else becomes Anonymous`,
  author_error: `a spreadsheet's error instead of the author's name: imported as Anonymous; better take the names from the original export`,
  author_anonymous: 'an author who asked not to be named: imported as Anonymous',
  html_decoded: 'HTML codes (&amp;, <br>, <p>, <b>): decoded',
  html_left:
    'what looks like HTML (&amp;, <br>, <b>) but may be meant literally: left as it is; --decode-html decodes it',
  no_day:
    'a date that does not name a day: skipped; to import it, give the day on which the file was made with --as-of',
  counted_date: ({ as_of: asOf }: ImportOptions) =>
    `a day counted back from ${asOf}, or the first of its month: pages show it like a known day; metadata.date_as_written keeps what the file says`,
  given_date: ({ date }: ImportOptions) =>
    `the day ${date} that was given, since the file has no dates: pages show it like a known day`,
  future_date: 'a date in the future: imported as it is',
  translation_only: 'a translation without its original: imported as the text',
}

export type RowNote = keyof typeof SENTENCES

interface Places {
  count: number
  /** The first places. */
  at: { table: number; line: number; example: string | undefined }[]
}

/** Collects notes by kind, with the number of rows and the first places. */
export class RowNotes {
  readonly #places = new Map<RowNote, Places>()
  readonly #ofThisRow = new Set<RowNote>()

  /** Call it before each row, so that a row with a note for several cells counts once. */
  beginRow(): void {
    this.#ofThisRow.clear()
  }

  add(note: RowNote, table: number, line: number, example?: string): void {
    if (this.#ofThisRow.has(note)) return
    this.#ofThisRow.add(note)
    this.#merge(note, { count: 1, at: [{ table, line, example }] })
  }

  addAll(others: RowNotes): void {
    for (const [note, places] of others) this.#merge(note, places)
  }

  [Symbol.iterator](): IterableIterator<[RowNote, Places]> {
    return this.#places.entries()
  }

  #merge(note: RowNote, { count, at }: Places): void {
    const known = this.#places.get(note) ?? { count: 0, at: [] }
    known.count += count
    known.at.push(...at.slice(0, 3 - known.at.length))
    this.#places.set(note, known)
  }
}

/** Below this share, ellipses at the end of texts are the authors' own. */
const CUT_SHARE = 0.2

/** A warning about rows that were imported anyway. */
export interface ImportWarning {
  code:
    | RowNote
    | 'file'
    | 'cut_off'
    | 'dates'
    | 'choice'
    | 'repeated'
    | 'stored_elsewhere'
    | 'other_source'
    | 'edited'
    | 'exchanged'
    | 'still_shown'
    | 'lost_metadata'
    | 'read_otherwise'
    | 'missing'
    | 'other_products'
    | 'older'
    | 'review_limit'
  message: string
  /** Number of rows affected. */
  count: number
}

/** The notes of an import as sentences, each with its first places. */
export function warningsOf(
  tables: readonly ImportedTable[],
  notes: RowNotes,
  repeated: { count: number; different: number },
  options: ImportOptions,
): ImportWarning[] {
  const warnings = tables.flatMap((table) => tableWarnings(table, tables.length > 1, options))
  const total = tables.reduce((sum, table) => sum + table.rows, 0)
  for (const [note, { count, at }] of notes) {
    if (note === 'cut_text' && count < total * CUT_SHARE) continue
    const sentence = SENTENCES[note]
    const readAs = tables[at[0]?.table ?? 0]?.options ?? options
    const what = typeof sentence === 'string' ? sentence : sentence(readAs)
    const rows = count === 1 ? '1 row has' : `${count} rows have`
    warnings.push({ code: note, message: `${rows} ${what} ${describePlaces({ count, at }, tables)}`, count })
  }
  const { count } = repeated
  // Generated ids depend on the text: rows that share one differ only in case, blanks or beyond the first 200
  // characters.
  const different = tables.some(({ plan }) => plan.fields.id?.length) ? repeated.different : 0
  if (count > 0) {
    const by =
      tables.length > 1 ? 'another row; the one in the file with the latest review' : 'a later row; the last one'
    const rows = `${count} ${count === 1 ? 'row is' : 'rows are'} repeated by ${by} counts`
    const hint = `; ${different} of them with a different text: if the id column does not identify the reviews, leave it out with --map id=`
    warnings.push({ code: 'repeated', message: different > 0 ? rows + hint : rows, count })
  }
  return warnings
}

/** Formats the places of rows: `(line 2, line 7, line 9, …)`. */
function describePlaces({ count, at }: Places, tables: readonly Pick<ImportedTable, 'file' | 'fileType'>[]): string {
  const places = at.map(({ table, line, example }) => {
    const file = tables.length > 1 ? `${tables[table]?.file} ` : ''
    const unit = /csv|xlsx|jsonl/.test(tables[table]?.fileType ?? '') ? 'line' : 'item'
    return `${file}${unit} ${line}${example === undefined ? '' : ` ${quoted(example)}`}`
  })
  return `(${places.join(', ')}${count > at.length ? ', …' : ''})`
}

type ResultFindings = Omit<ImportResult, 'updated' | 'unchanged' | 'skipped' | 'reasons' | 'seconds'>

/** Warnings from comparing an import's rows with what is stored. */
export function resultWarnings(result: ResultFindings, files: readonly ImportedFile[]): ImportWarning[] {
  const { elsewhere, alike, edited, exchanged, otherwise, missing, later, dryRun, inserted, room } = result
  const warnings: ImportWarning[] = []
  const warn = (code: ImportWarning['code'], count: number, message: string) => {
    if (count > 0) warnings.push({ code, message, count })
  }
  const counted = (count: number, one: string, several: string) => `${count} ${count === 1 ? one : several}`
  const tables = files.map(({ file, format }) => ({ file, fileType: format }))
  const placesOf = ({ count, first }: NotedRows) =>
    describePlaces({ count, at: first.map((row) => ({ ...row, example: undefined })) }, tables)

  const stored = counted(elsewhere.count, 'row is a review that is', 'rows are reviews that are')
  warn(
    'stored_elsewhere',
    elsewhere.count,
    `${stored} already stored under another id or source, with the same author and text: not imported again ${placesOf(elsewhere)}; --force imports them anyway`,
  )
  const again = counted(alike.count, 'new review has', 'new reviews have')
  warn(
    'other_source',
    alike.count,
    `${again} the author, day and text of a stored one of another source ${placesOf(alike)}: if this file was imported before with another source, the stored ones now stand beside these and should be deleted`,
  )
  const changed = counted(edited.count, 'row is a review whose author', 'rows are reviews whose authors')
  const [it, replaces] = edited.count === 1 ? ['it', 'replaces'] : ['they', 'replace']
  warn(
    'edited',
    edited.count,
    `${changed} changed the text since an earlier import: ${it} ${dryRun ? 'would replace' : replaces} what was stored ${placesOf(edited)}`,
  )
  const turned = counted(exchanged.count, 'row is a review that was', 'rows are reviews that were')
  const [days, are] = exchanged.count === 1 ? ['its day', 'is'] : ['their days', 'are']
  warn(
    'exchanged',
    exchanged.count,
    `${turned} stored with day and month exchanged: ${days} ${dryRun ? 'would be' : are} corrected ${placesOf(exchanged)}`,
  )
  warn('still_shown', result.stillShown.count, describeStillShown(result.stillShown, placesOf))
  warn('lost_metadata', result.lostMetadata.length, describeLostMetadata(result.lostMetadata, dryRun))
  if (otherwise) warn('read_otherwise', otherwise.fresh, describeReadOtherwise(otherwise))
  if (missing) warnings.push({ code: 'missing', message: describeMissing(missing, dryRun), count: missing.ids.length })
  warn('other_products', result.ofOtherProducts, describeOtherProducts(result.ofOtherProducts))
  if (later) warn('older', later.count, describeLater(later, dryRun))
  if (room !== undefined) {
    const reviews = counted(inserted, 'new review', 'new reviews')
    const message = `the project has room for ${Math.max(room, 0)} more, so this import of ${reviews} would be refused`
    warnings.push({ code: 'review_limit', message, count: inserted })
  }
  return warnings
}

/** Warnings about a file as a whole. */
function tableWarnings(
  { file, fileType, notes, isCutOff, encoding, dates, plan, headers }: ImportedTable,
  isOneOfMany: boolean,
  options: ImportOptions,
) {
  const warnings: ImportWarning[] = notes.map((note) => ({ code: 'file', message: `${file}: ${note}`, count: 0 }))
  if (isCutOff) warnings.push({ code: 'cut_off', message: file + CUT_OFF, count: 0 })
  const byEncoding = options.encoding !== undefined ? undefined : describeEncoding(encoding, fileType)
  if (byEncoding !== undefined) warnings.push({ code: 'file', message: file + byEncoding, count: 0 })
  if (dates && dates.because !== 'chosen') {
    const message = `${isOneOfMany ? `${file}: ` : ''}${describeDateOrder(dates)}`
    warnings.push({ code: 'dates', message, count: dates.rows })
  }
  for (const note of plan.notes) warnings.push({ code: 'choice', message: `${file}: ${note}`, count: 0 })
  for (const field of ['date', 'rating', 'text'] as const) {
    const others = plan.alternatives[field]
    if (!others) continue
    const taken = headers[plan.fields[field]?.[0] ?? 0]
    const message = `${file}: the ${field} is taken from "${taken}"; it could also be ${others.map((other) => `"${other}"`).join(', ')} (--map ${field}=…)`
    warnings.push({ code: 'choice', message, count: 0 })
  }
  return warnings
}
