import { ApiError } from '../../client/errors.ts'
import { type CliError, usageError } from './failure.ts'

/** What a command calls the fields that it sends: `{ 'filters.since': '--since', q: 'the text' }`. */
export type FieldLabels = Readonly<Record<string, string>>

/**
 * The server's findings in the words of the command line. What the user typed was wrong, so that the exit code is that of
 * a usage error.
 *
 * @returns `undefined` when the error is about something else
 */
export function toUsageError(error: unknown, names: FieldLabels): CliError | undefined {
  if (!(error instanceof ApiError) || error.code !== 'validation_failed') return undefined
  const findings = error.details.map(({ path, message }) => {
    const name = nameOf(path, names)
    return name === undefined ? undefined : `${name} ${message}`
  })
  const known = findings.filter((finding) => finding !== undefined)
  return known.length === 0 || known.length < findings.length ? undefined : usageError([...new Set(known)].join('; '))
}

function nameOf(path: string, names: FieldLabels): string | undefined {
  for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1)) {
    const name = names[path.slice(0, end)]
    if (name !== undefined) return end === path.length ? name : `${name} ${path.slice(end + 1)}`
  }
  return undefined
}
