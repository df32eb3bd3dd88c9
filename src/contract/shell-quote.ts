/** A value quoted, if needed, for a command that is copied into a shell: `'Hotel Aurora'`. */
export function shellQuote(value: string): string {
  return /^[\w./:@%+=,-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`
}
