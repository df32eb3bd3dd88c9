/** Flags for which an empty value says something: none. */
const MAY_BE_EMPTY = new Set(['heading', 'note', 'query', 'metadata'])

/**
 * What was given as "".
 *
 * @param judged what the command calls the fields that the server judges: `the text`, `the name`
 * @returns `FOLDER` or `--dir`; `undefined` when nothing is empty
 */
export function findEmptyValue(
  parsed: {
    argv: readonly unknown[]
    args: Readonly<Record<string, unknown>>
    flags: Readonly<Record<string, unknown>>
  },
  judged: readonly string[],
): string | undefined {
  const [first] = Object.keys(parsed.args)
  for (const [name, value] of Object.entries(parsed.args)) {
    if (value === '' && !judged.includes(`the ${name}`)) return name.toUpperCase()
  }
  // Commands of several files have one argument by name, and the others in `argv`.
  if (first !== undefined && !judged.includes(`the ${first}`) && parsed.argv.includes('')) return first.toUpperCase()
  for (const [name, value] of Object.entries(parsed.flags)) {
    const isEmpty = value === '' || (Array.isArray(value) && value.includes(''))
    if (isEmpty && !MAY_BE_EMPTY.has(name)) return `--${name}`
  }
  return undefined
}
