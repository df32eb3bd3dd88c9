/** What was read from a cell, or why nothing could be. */
export type Parsed<T> = { ok: true; value: T } | { ok: false; message: string }

/** A cell that could not be read, and why. */
export function unreadable(message: string): { ok: false; message: string } {
  return { ok: false, message }
}
