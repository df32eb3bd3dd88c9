import { parseDate, type SlashOrder } from '../fields/date.ts'
import { parseLanguage } from '../fields/language.ts'
import type { ColumnPlan } from '../formats/column-plan.ts'
import type { ImportOptions } from '../formats/mapping.ts'
import { ImporterError } from '../importer-error.ts'
import { quoted } from '../quoted.ts'
import { normalizeHeader } from '../read/headers.ts'
import type { RawRow, Table } from '../read/table.ts'
import { MonthWords } from './month-words.ts'
import { ShortYears } from './short-years.ts'

/** How the slash dates of a file are read, and why. */
export interface DateOrder {
  dayFirst: boolean
  /**
   * `chosen` by the user; `rows` that allow only one order; a `sibling`, another file of the import with the same
   * columns whose rows prove it; the `format`, `headings` or `language`; `nothing`: month first, as the contract says.
   */
  because: 'chosen' | 'rows' | 'sibling' | 'format' | 'headings' | 'language' | 'nothing'
  /** Rows with a slash date. */
  rows: number
  /** The first date that proves the order, or else the first ambiguous one. */
  example: { line: number; cell: string }
}

type TableKind = Pick<Table, 'file' | 'headers' | 'delimiter'>

/** Counts the slash dates of a file by the order they allow, with the first of each kind. */
export class SlashDateCounter {
  /** Month names in dates that are not slash dates. */
  readonly months = new MonthWords()
  readonly shortYears: ShortYears
  readonly #count: Record<SlashOrder, number> = { 'only-day-first': 0, 'only-month-first': 0, either: 0 }
  readonly #first: Partial<Record<SlashOrder, { line: number; cell: string }>> = {}
  readonly #languages = { dayFirst: 0, other: 0 }
  /** Counts other dates whose day and month are interchangeable, until one proves that they are in order. */
  #exchangeable = 0
  #otherwise: { line: number; cell: string } | undefined
  #isInOrder = false

  constructor({ headers }: Pick<Table, 'headers'>, { fields }: ColumnPlan) {
    this.shortYears = new ShortYears(fields.date?.map((index) => headers[index]).join() ?? '')
  }

  /** @param language the cell with the row's language; may be empty */
  add(order: SlashOrder, line: number, cell: string, language: string): void {
    this.#count[order]++
    this.#first[order] ??= { line, cell }
    if (language === '') return
    if (isDayFirstLanguage(parseLanguage(language))) this.#languages.dayFirst++
    else this.#languages.other++
  }

  /** Adds a date in another notation by its day of the month. */
  addOther(day: number, line: number, cell: string): void {
    if (this.#isInOrder) return
    this.#isInOrder = day > MONTHS
    this.#exchangeable++
    this.#otherwise ??= { line, cell }
  }

  /**
   * Detects days and months exchanged by a spreadsheet: one with another locale misreads 5/1/2026, stores it as a date,
   * and leaves 31/1/2026 as text. Then no date of either notation could be of the other.
   *
   * @throws ImporterError `dates_both_orders`; call it after all rows
   */
  checkExchanged(file: string, { day_first: chosen }: ImportOptions): void {
    const { 'only-day-first': day, 'only-month-first': month, either } = this.#count
    const left = this.#first['only-day-first'] ?? this.#first['only-month-first']
    const turned = this.#isInOrder ? undefined : this.#otherwise
    if (chosen !== undefined || !left || !turned || either > 0) return
    if (Math.min(day + month, this.#exchangeable) < LEAST_EXCHANGED) return
    throw new ImporterError(
      'dates_both_orders',
      `${file}: a spreadsheet seems to have swapped day and month in some dates: ${quoted(turned.cell)} in line ${turned.line} and the other ` +
        `dates written like it (${this.#exchangeable}) could all be read either way, but those like ${quoted(left.cell)} in line ${left.line} (${day + month}) only one way. ` +
        `Nothing was imported. Import the file as it was before it was opened in a spreadsheet; if its dates are right, use ${day > 0 ? '--day-first' : '--no-day-first'}.`,
    )
  }

  /**
   * Decides the order of the file's slash dates.
   *
   * @returns undefined when it has none
   * @throws ImporterError `dates_both_orders`
   */
  order(table: TableKind, plan: ColumnPlan, options: ImportOptions): DateOrder | undefined {
    const { 'only-day-first': day, 'only-month-first': month, either } = this.#count
    const rows = day + month + either
    const first = this.#first
    const example = (day > 0 ? first['only-day-first'] : first['only-month-first']) ?? first.either
    if (rows === 0 || !example) return undefined
    if (options.day_first !== undefined) return { dayFirst: options.day_first, because: 'chosen', rows, example }
    if (day > 0 && month > 0) throw this.#bothOrders(table.file)
    if (day > 0 || month > 0) return { dayFirst: day > 0, because: 'rows', rows, example }
    if (options.day_first_when_unclear !== undefined)
      return { dayFirst: options.day_first_when_unclear, because: 'chosen', rows, example }
    const dayFirstBecause = this.#hint(table, plan)
    return { dayFirst: dayFirstBecause !== undefined, because: dayFirstBecause ?? 'nothing', rows, example }
  }

  #hint(table: TableKind, plan: ColumnPlan): 'format' | 'headings' | 'language' | undefined {
    if (plan.format.dayFirst?.(table)) return 'format'
    const telling = [...(plan.fields.date ?? []), ...(plan.fields.text ?? []), ...(plan.fields.rating ?? [])]
    if (telling.some((index) => DAY_FIRST_HEADERS.test(normalizeHeader(table.headers[index] ?? '')))) return 'headings'
    const { dayFirst, other } = this.#languages
    return dayFirst >= LANGUAGE_ROWS && other === 0 ? 'language' : undefined
  }

  #bothOrders(file: string): ImporterError {
    const { 'only-day-first': day, 'only-month-first': month } = this.#first
    const { either } = this.#count
    const others = either === 0 ? '' : `, and ${either} ${either === 1 ? 'other' : 'others'} could be either`
    return new ImporterError(
      'dates_both_orders',
      `${file}: its dates are in both orders: ${quoted(day?.cell ?? '')} in line ${day?.line} has the day first, ` +
        `${quoted(month?.cell ?? '')} in line ${month?.line} the month${others}. ` +
        'Nothing was imported. Write them as 2026-01-31, or choose one order with --day-first or --no-day-first, ' +
        'which skips the rows that can only be read the other way.',
    )
  }
}

const LANGUAGE_ROWS = 3
const MONTHS = 12
/** One file of 300 has this many dates of each kind by chance. */
const LEAST_EXCHANGED = 4

/** Headers in languages that never write the month first. */
const DAY_FIRST_HEADERS = new RegExp(
  [
    'fecha|publicad|cread[oa]|marcatemporal|resena|comentario|valoracion|calificacion|puntuacion|estrellas|opinion(?:es)?$',
    '^date(?:de|du)|publiele|creele|horodatage|avis|commentaire|etoiles|temoignage',
    '^data$|^data(?:de|di|da|del|recens|pubbl|creaz)|pubblicat|informazionicronologiche|recension[ei]|commento|punteggio|stelle',
    'avaliac|carimbodedata|estrelas|pontuacao|depoimento',
    'datum|erstell|veroffentlich|zeitpunkt|zeitstempel|abgegeben|bewertung|rezension|sterne|kommentar',
    'geplaatst|aangemaakt|tijdstempel|beoordeling|recensie|opmerking|sterren|waardering',
    'opini[ai]|dodania|^ocena$|recenze|hodnoceni|komentar|recenzi[ei]|evaluare|paivamaara|arvostelu|arvosana|recension|betyg',
    '^dato|anmeldelse|omtale|vurdering|bedømmelse|tarih|yorum|puan|nhanxet|^ngay|tanggal|ulasan|penilaian',
    'kuupaev|dagsetning|recenzij|recenzia|mnenje|ocjena|hinnang|arvustus|atsauksme|vertejums|atsiliepim|vertinimas|ressenya|puntuacio|umsogn',
    '\\p{Script=Cyrillic}|\\p{Script=Greek}|\\p{Script=Hebrew}|\\p{Script=Arabic}|\\p{Script=Thai}|\\p{Script=Devanagari}',
  ].join('|'),
  'u',
)

/** Languages, and English-speaking countries, that write the day before the month. */
const DAY_FIRST_LANGUAGES =
  /^(?:de|fr|es|it|nl|pt|da|nb|no|nn|fi|pl|cs|sk|sl|hr|ro|bg|el|tr|ru|uk|ar|he|hi|vi|id|th|ca|et|lv|lt|is|sr)$/
const DAY_FIRST_ENGLISH = /^en-(?:GB|AU|NZ|IE|IN|ZA|MT|SG|HK)$/

function isDayFirstLanguage(tag: string | undefined): boolean {
  if (tag === undefined) return false
  return DAY_FIRST_ENGLISH.test(tag) || DAY_FIRST_LANGUAGES.test(tag.split('-')[0] ?? '')
}

/** Counts the slash dates of a file without mapping its rows. */
export async function countSlashDates(table: Table, plan: ColumnPlan, yearFirst = false): Promise<SlashDateCounter> {
  const seen = new SlashDateCounter(table, plan)
  const first = (row: RawRow, indexes: readonly number[] | undefined) =>
    indexes?.map((index) => row.cells[index]?.trim() ?? '').find((cell) => cell !== '') ?? ''
  for await (const batch of table.rows)
    for (const row of batch) {
      if (row.fault) continue
      const cell = first(row, plan.fields.date)
      seen.shortYears.add(cell, row.line)
      const { slash } = parseDate(seen.shortYears.inFull(cell, yearFirst))
      if (slash) seen.add(slash, row.line, cell, first(row, plan.fields.language))
    }
  return seen.shortYears.areFirst && !yearFirst ? countSlashDates(table, plan, true) : seen
}

/** A file of an import with its date order and what identifies its exporter. */
type DatedTable = Pick<Table, 'file' | 'headers'> & { plan: ColumnPlan; dates?: DateOrder | undefined }

/**
 * Applies the order proved by files of the same format and columns to those with only ambiguous dates.
 *
 * @returns the changed orders, by table index
 * @throws ImporterError `dates_both_orders` when the others disagree
 */
export function orderBySiblings(tables: readonly DatedTable[]): Map<number, DateOrder> {
  const proven = new Map<string, { day?: string; month?: string }>()
  for (const { dates, ...table } of tables) {
    if (dates?.because !== 'rows') continue
    const kind = kindOf(table)
    proven.set(kind, { ...proven.get(kind), [dates.dayFirst ? 'day' : 'month']: table.file })
  }
  const settled = new Map<number, DateOrder>()
  for (const [place, { dates, ...table }] of tables.entries()) {
    const others = proven.get(kindOf(table))
    if (!dates || !others || dates.because === 'rows' || dates.because === 'chosen') continue
    if (others.day !== undefined && others.month !== undefined)
      throw new ImporterError(
        'dates_both_orders',
        `${table.file}: its dates could be read either way (${quoted(dates.example.cell)}); of the files with the same columns, ` +
          `${others.day} has the day first and ${others.month} the month. Nothing was imported. ` +
          'Import it by itself, with --day-first or --no-day-first.',
      )
    settled.set(place, { ...dates, dayFirst: others.day !== undefined, because: 'sibling' })
  }
  return settled
}

function kindOf({ plan, headers }: Pick<DatedTable, 'plan' | 'headers'>): string {
  return JSON.stringify([plan.format.name, headers.map(normalizeHeader).sort()])
}

const BECAUSE: Record<DateOrder['because'], (example: string) => string> = {
  chosen: () => '',
  rows: (example) => `, because ${example} can only be read that way`,
  sibling: () => ', as in another file with the same columns, where the dates prove it',
  format: (example) => `, as is usual in this format; ${example} could be either`,
  headings: (example) => `, as is usual in the language of the headings; ${example} could be either`,
  language: (example) => `, as is usual in the language of the reviews; ${example} could be either`,
  nothing: (example) => `; nothing in the file says which is right, and ${example} could be either`,
}

/** `dates read as month/day: 4 rows; nothing in the file says which, …`. */
export function describeDateOrder({ dayFirst, because, rows, example }: DateOrder): string {
  const count = rows === 1 ? '1 row' : `${rows.toLocaleString('en')} rows`
  const way = isProven(because)
    ? ''
    : ` (${dayFirst ? '--no-day-first' : '--day-first'} reads them the other way; decide before you import)`
  const place = `${quoted(example.cell)} in line ${example.line}`
  return `dates read as ${dayFirst ? 'day/month' : 'month/day'}: ${count}${BECAUSE[because](place)}${way}`
}

/** Whether the order is certain rather than inferred from convention. */
export function isProven(because: DateOrder['because']): boolean {
  return because === 'chosen' || because === 'rows' || because === 'sibling'
}
