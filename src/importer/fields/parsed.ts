/** A value parsed from a cell, or why it could not be parsed. */
export type Parsed<T> = { ok: true; value: T } | { ok: false; message: string }

export function unreadable(message: string): { ok: false; message: string } {
  return { ok: false, message }
}
