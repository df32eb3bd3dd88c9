import { metadataCell } from './csv-write.ts'

const MAX_DEPTH = 8
/** Further columns of one file are left out: only an object that uses ids as keys has so many. */
const MAX_HEADERS = 1_000

/** Collects the columns of flattened objects in the order in which they are first met. */
export class Columns {
  readonly headers: string[] = []
  /** Columns that hold whole numbers too large for a JSON reader: their digits are already lost. */
  readonly unsafe = new Set<string>()
  overflow = false
  readonly #index = new Map<string, number>()

  /** The position of a header, or undefined when the file has too many. */
  at(header: string): number | undefined {
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
 * Lists of plain values are joined with ", ", other lists stay JSON. Null and missing values are empty cells.
 */
export function flatten(record: object, columns: Columns): string[] {
  const cells: string[] = []
  walk(record, '', 0, cells, columns)
  for (let index = 0; index < columns.headers.length; index++) cells[index] ??= ''
  return cells
}

function walk(record: object, prefix: string, depth: number, cells: string[], columns: Columns): void {
  for (const [key, value] of Object.entries(record)) {
    const header = prefix === '' ? key : `${prefix}.${key}`
    if (isObject(value) && depth < MAX_DEPTH) {
      walk(value, header, depth + 1, cells, columns)
      continue
    }
    const index = columns.at(header)
    if (index === undefined) continue
    const cell = cellOf(value, header, columns)
    cells[index] = typeof value === 'string' && header.startsWith('metadata.') ? metadataCell(cell) : cell
  }
}

function cellOf(value: unknown, header: string, columns: Columns): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') {
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      columns.unsafe.add(header)
      return ''
    }
    return String(value)
  }
  if (typeof value === 'boolean') return String(value)
  if (Array.isArray(value) && value.every((item) => item === null || typeof item !== 'object'))
    return value.map((item) => item ?? '').join(', ')
  return asJson(value)
}

/** JSON.stringify recurses, so a value nested deeper than the stack is left out rather than thrown on. */
function asJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    return ''
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
