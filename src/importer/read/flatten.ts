import { escapeMetadata } from './cell-escape.ts'

const MAX_DEPTH = 8
/** Further columns of one file are left out: only an object that uses ids as keys has so many. */
const MAX_HEADERS = 1_000

/** Collects the columns of flattened objects in the order in which they are first met. */
export class JsonColumns {
  readonly headers: string[] = []
  /** Columns that hold whole numbers too large for a JSON reader: their digits are already lost. */
  readonly unsafe = new Set<string>()
  overflow = false
  readonly #index = new Map<string, number>()

  /** Takes in the columns of one more object. */
  addFrom(record: object): void {
    walk(record, '', 0, (header, value) => {
      if (this.#at(header) === undefined) return
      if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) this.unsafe.add(header)
    })
  }

  /** The position of a column that was taken in. */
  indexOf(header: string): number | undefined {
    return this.#index.get(header)
  }

  /** The position of a header, or undefined when the file has too many. */
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
 * Flattens a JSON object into cells below dotted headers: `{"reviewer":{"displayName":"Ana"}}` is `reviewer.displayName`.
 * Lists of plain values are joined with ", "; a list whose objects are the named parts of one (`[{"userComment":…},
 * {"developerComment":…}]`, Kiyoh's `[{"questionGroup":"DEFAULT_OPINION","rating":…}]`) is read as that; other lists stay JSON. Null and missing values are empty cells, and so are
 * all of a column in which one whole number lost its digits: ids must be of one kind.
 *
 * @param columns of all objects of the file, this one among them
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

function walk(record: object, prefix: string, depth: number, visit: (header: string, value: unknown) => void): void {
  for (const [key, value] of Object.entries(record)) {
    const header = prefix === '' ? key : `${prefix}.${key}`
    const inner = Array.isArray(value) ? partsOf(value) : value
    if (isObject(inner) && depth < MAX_DEPTH) walk(inner, header, depth + 1, visit)
    else visit(header, value)
  }
}

/** The object of which a list holds the parts, each under a name of its own; undefined for a list of like things. */
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
  // Object.fromEntries makes own properties of "__proto__" and its like.
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

/** Whether a JSON value is an object, and no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
