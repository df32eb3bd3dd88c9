import { escapeMetadata } from '../cell-escape.ts'
import { formattedText } from './formatted-text.ts'
import { isObject } from './json-values.ts'

const MAX_DEPTH = 8
/** Columns beyond this are left out: only an object with ids as keys has so many. */
const MAX_HEADERS = 1_000

/** Collects the columns of flattened objects in order of first appearance. */
export class JsonColumns {
  readonly headers: string[] = []
  /** Columns with integers beyond JSON's safe range, whose digits are already lost. */
  readonly unsafe = new Set<string>()
  /** Columns in which lists of texts are joined. */
  readonly joined = new Set<string>()
  /** Columns with texts that were stored with their formatting. */
  readonly formatted = new Set<string>()
  overflow = false
  readonly #index = new Map<string, number>()

  /** Adds the columns of one object. */
  addFrom(record: object): void {
    walk(record, '', 0, (header, value, isFormatted) => {
      if (this.#at(header) === undefined) return
      if (isFormatted) this.formatted.add(header)
      if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) this.unsafe.add(header)
      if (Array.isArray(value) && value.length > 1 && areTexts(value)) this.joined.add(header)
    })
  }

  /** The position of a known column. */
  indexOf(header: string): number | undefined {
    return this.#index.get(header)
  }

  /** The position of a header, added when new; undefined when the file has too many. */
  #at(header: string): number | undefined {
    const known = this.#index.get(header)
    if (known !== undefined) return known
    if (this.headers.length >= MAX_HEADERS) {
      this.overflow = true
      return undefined
    }
    this.#index.set(header, this.headers.length)
    this.headers.push(header)
    return this.headers.length - 1
  }
}

/**
 * Flattens a JSON object into cells with dotted headers: `{"reviewer":{"displayName":"Ana"}}` becomes
 * `reviewer.displayName`. Lists of scalars are joined with ", ". A list whose objects are the named parts of one object
 * (`[{"userComment":…}, {"developerComment":…}]`, Kiyoh's `[{"questionGroup":"DEFAULT_OPINION","rating":…}]`) is read
 * as that object; other lists stay JSON. Texts that are stored with their formatting are plain ones. Null and missing values
 * are empty cells, and so is a whole column in which any integer lost digits, because ids must all be of one kind.
 *
 * @param columns collected from all objects of the file, including this one
 */
export function flatten(record: object, columns: JsonColumns): string[] {
  const cells: string[] = []
  walk(record, '', 0, (header, value) => {
    const index = columns.indexOf(header)
    if (index === undefined || columns.unsafe.has(header)) return
    const cell = cellOf(value)
    cells[index] = typeof value === 'string' && header.startsWith('metadata.') ? escapeMetadata(cell) : cell
  })
  for (let index = 0; index < cells.length; index++) cells[index] ??= ''
  return cells
}

type Visit = (header: string, value: unknown, isFormatted: boolean) => void

function walk(record: object, prefix: string, depth: number, visit: Visit): void {
  for (const [key, value] of Object.entries(record)) {
    const header = prefix === '' ? key : `${prefix}.${key}`
    const text = typeof value === 'object' ? formattedText(value) : undefined
    if (text !== undefined) {
      visit(header, text, true)
      continue
    }
    const inner = Array.isArray(value) ? partsOf(value) : value
    if (isObject(inner) && depth < MAX_DEPTH) walk(inner, header, depth + 1, visit)
    else visit(header, value, false)
  }
}

/** The object whose uniquely named parts a list holds; undefined for a list of like items. */
function partsOf(list: readonly unknown[]): Record<string, unknown> | undefined {
  if (list.length === 0 || list.length > MAX_PARTS || !list.every(isObject)) return undefined
  const parts = list.map((part): [string, unknown] | undefined => {
    const [only, ...others] = Object.entries(part)
    if (only && others.length === 0 && isObject(only[1])) return only
    const { questionGroup: name, rating } = part
    return typeof name === 'string' && rating !== undefined ? [name, rating] : undefined
  })
  const named = parts.filter((part) => part !== undefined)
  const isWhole = named.length === list.length && new Set(named.map(([name]) => name)).size === list.length
  // Object.fromEntries creates own properties even for "__proto__".
  return isWhole ? Object.fromEntries(named) : undefined
}

const MAX_PARTS = 20

function cellOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value) && value.every((item) => item === null || typeof item !== 'object'))
    return value.map((item) => item ?? '').join(', ')
  return JSON.stringify(value)
}

/** Whether a list has nothing but texts, each of which may be a review; ids and names of products have no blanks. */
export function areTexts(list: readonly unknown[]): list is string[] {
  const texts = list.filter((one) => typeof one === 'string')
  return texts.length === list.length && texts.filter((text) => /\S\s+\S/.test(text)).length > texts.length / 2
}
