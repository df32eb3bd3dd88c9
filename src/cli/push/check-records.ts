import { formatCount } from '../../contract/counts.ts'
import { type ErrorDetail, UNKNOWN_FIELD } from '../../contract/errors.ts'
import { reviewInput } from '../../contract/review.ts'
import { validate } from '../../contract/validate.ts'
import { CliError } from '../errors/cli-error.ts'
import type { JsonRecord } from './json-record.ts'

/** A record's position in the input and its line, both from 1. */
export interface RecordPosition {
  position: number
  line: number
}

export interface InvalidRecord extends RecordPosition {
  external_id: string | undefined
  problems: ErrorDetail[]
}

export type CheckedRecord = { ok: true; place: RecordPosition; json: string } | { ok: false; invalid: InvalidRecord }

/** Most invalid records shown; the rest are counted. */
export const INVALID_SHOWN = 20

/** Checks each record with the server's schema, so that invalid ones are found before anything is sent. */
export async function* checkRecords(records: AsyncIterable<JsonRecord>): AsyncGenerator<CheckedRecord> {
  for await (const record of records) {
    const { position, line } = record
    if (!record.ok) {
      yield { ok: false, invalid: invalidAt(record, undefined, [{ path: '(body)', message: record.problem }]) }
      continue
    }
    const checked = validate(reviewInput, record.value)
    // The record is sent unchanged: in the schema's output the date is parsed and the text trimmed.
    if (checked.ok) yield { ok: true, place: { position, line }, json: JSON.stringify(record.value) }
    else yield { ok: false, invalid: invalidAt(record, record.value, checked.details) }
  }
}

/** @param value the record itself, whose `external_id` helps to find it */
export function invalidAt({ position, line }: RecordPosition, value: unknown, problems: ErrorDetail[]): InvalidRecord {
  const id = typeof value === 'object' && value !== null && 'external_id' in value ? value.external_id : undefined
  return { position, line, external_id: typeof id === 'string' ? id : undefined, problems }
}

/** One line about an invalid record: its position, its external id, and all its problems. */
export function describeInvalidRecord(record: InvalidRecord): ErrorDetail {
  const id = record.external_id === undefined ? '' : `, external_id "${record.external_id}"`
  const problems = record.problems.map(({ path, message }) => (path === '(body)' ? message : `${path} ${message}`))
  return { path: `line ${record.line} (record ${record.position}${id}):`, message: problems.join('; ') }
}

/** @param total the number of invalid records, of which `invalid` may have only the first */
export function invalidRecordsError(message: string, invalid: readonly InvalidRecord[], total: number): CliError {
  const details = invalid.slice(0, INVALID_SHOWN).map(describeInvalidRecord)
  const more = total - details.length
  if (more > 0) details.push({ path: '(body)', message: `… and ${formatCount(more)} more` })
  const isUnknown = ({ problems }: InvalidRecord) => problems.some(({ message }) => message.startsWith(UNKNOWN_FIELD))
  // A file written by `reviews export` has other fields, too.
  const importing = invalid.some(isUnknown)
    ? ['if the file has other fields, import it: pullquote reviews import FILE']
    : []
  return new CliError(message, {
    code: 'invalid_records',
    details,
    hints: [...importing, 'fix them and run the same command again', 'leave them out with --skip-invalid'],
  })
}
