import * as v from 'valibot'
import { type ErrorDetail, UNKNOWN_FIELD } from './errors.ts'

/** The result of validating input: the parsed value, or every finding with its dotted path. */
export type Validated<T> = { ok: true; value: T } | { ok: false; details: ErrorDetail[] }

/** Parses `input` with `schema`, collecting all issues rather than stopping at the first. */
export function validate<TSchema extends v.GenericSchema>(
  schema: TSchema,
  input: unknown,
): Validated<v.InferOutput<TSchema>> {
  const result = v.safeParse(schema, input)
  if (result.success) return { ok: true, value: result.output }
  const details = result.issues.slice(0, MOST_DETAILS).map(detailOf)
  const left = result.issues.length - details.length
  if (left > 0) details.push({ path: '(body)', message: `has ${left} more findings, which are not listed` })
  return { ok: false, details }
}

// A valid batch has about 2,000 fields (100 reviews of 10 fields, some with metadata); a body of only unknown fields
// can have 150,000, and its response would be ten times as long as the body.
const MOST_DETAILS = 5_000
const PATH_LENGTH = 300

function detailOf(issue: v.BaseIssue<unknown>): ErrorDetail {
  const path = issue.path === undefined ? '(body)' : issue.path.map((item) => String(item.key)).join('.')
  return { path: truncatePath(path), message: messageOf(issue) }
}

/** Truncates a finding's path, because a request's field names may be as long as the request. */
export function truncatePath(path: string): string {
  return path.length > PATH_LENGTH ? `${path.slice(0, PATH_LENGTH)}…` : path
}

const TYPE_NAMES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
}

/** Our wording for a wrong type and a missing or unknown field; otherwise the schema's message. */
function messageOf(issue: v.BaseIssue<unknown>): string {
  if (issue.kind !== 'schema') return issue.message
  if (issue.type === 'strict_object') {
    if (issue.expected === 'never') return UNKNOWN_FIELD
    return issue.received === 'undefined' ? 'is required' : 'must be an object'
  }
  if (issue.received === 'undefined') return 'is required'
  const expected = TYPE_NAMES[issue.type]
  return expected === undefined ? issue.message : `must be ${expected}`
}
