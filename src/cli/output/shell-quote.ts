/** A value as one word of a command that is copied into a shell: `Hotel Aurora` needs quotes. */
export function shellQuote(value: string): string {
  return /^[\w./:@%+=,-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`
}
