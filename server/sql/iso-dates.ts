/** A contract type as its columns come from the database: with dates instead of text at `TNames`. */
export type WithDates<T, TNames extends keyof T> = Omit<T, TNames> & { [K in TNames]: Date | Extract<T[K], null> }

type IsoDates<T> = { [K in keyof T]: T[K] extends Date ? string : T[K] extends Date | null ? string | null : T[K] }

/** A row with its dates in ISO 8601, as on the wire. */
export function isoDates<T extends object>(row: T): IsoDates<T> {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Date ? value.toISOString() : value,
  ])
  return Object.fromEntries(entries)
}
