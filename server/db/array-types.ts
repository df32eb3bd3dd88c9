/** Object ids of array types (pg_type.dat of PostgreSQL): those with text elements, and those of small numbers. */
const TEXTS = { text: 1009, varchar: 1015, uuid: 2951, int8: 1016 }
const NUMBERS = { int2: 1005, int4: 1007, float4: 1021, float8: 1022 }

interface ArrayType {
  to: number
  from: number[]
  serialize(values: unknown): unknown
  parse(text: string): (string | number | null)[]
}

/**
 * One-dimensional arrays, as postgres.js handles them after querying each new connection for the database's array types. That
 * query is disabled: it costs every connection a statement, and when the connection is lost during it the library rejects a
 * promise that nobody handles, which ends the process.
 */
export const ARRAY_TYPES: Record<string, ArrayType> = Object.fromEntries([
  ...Object.entries(TEXTS).map(([name, oid]) => [`${name}_array`, arrayType(oid, (element) => element)]),
  ...Object.entries(NUMBERS).map(([name, oid]) => [`${name}_array`, arrayType(oid, Number)]),
])

function arrayType(oid: number, element: (text: string) => string | number): ArrayType {
  return {
    to: oid,
    from: [oid],
    // A value that already is an array literal is passed through.
    serialize: (values) => (Array.isArray(values) ? `{${values.map(quoted).join(',')}}` : values),
    parse: (text) => parseArray(text).map((value) => (value === null ? null : element(value))),
  }
}

function quoted(value: unknown): string {
  return value === null || value === undefined ? 'null' : `"${String(value).replace(/["\\]/g, '\\$&')}"`
}

/** The text form of an array (PostgreSQL manual, "Array Input and Output Syntax"). */
function parseArray(text: string): (string | null)[] {
  const values: (string | null)[] = []
  for (const [, inQuotes, bare] of text.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/gs)) {
    if (inQuotes !== undefined) values.push(inQuotes.replace(/\\(.)/gs, '$1'))
    else values.push(bare === undefined || bare.toUpperCase() === 'NULL' ? null : bare)
  }
  return values
}
