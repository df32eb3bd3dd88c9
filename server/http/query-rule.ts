import * as v from 'valibot'
import { type ErrorDetail, UNKNOWN_FIELD } from '../../src/contract/errors.ts'
import { type Validated, validate } from '../../src/contract/validate.ts'
import { type ParameterRules, parameterFindings, type QueryString, wellFormedParameters } from './query-string.ts'

export interface QueryRule<T> {
  parse(query: QueryString): Validated<T>
  /** By name, for the API description. */
  parameters: v.ObjectEntries
  /** Their meanings, by name. */
  meanings?: Record<string, string>
  /** The schemas of parameters whose value is JSON, by name. */
  json?: Record<string, v.GenericSchema>
  /** Parameters without a fixed name, in OpenAPI's notation. */
  more?: readonly Record<string, unknown>[]
}

/** Parameters that each occur once, validated by their field. A strict schema rejects unknown ones. */
export function queryOf<TSchema extends v.GenericSchema & { entries: v.ObjectEntries }>(
  schema: TSchema,
  meanings: Record<string, string> = {},
): QueryRule<v.InferOutput<TSchema>> {
  const { entries } = schema
  const isStrict = schema.type === 'strict_object'
  const rules = { known: (name: string) => isStrict || Object.hasOwn(entries, name), once: () => true }
  return {
    parameters: entries,
    meanings,
    parse: (query) => checkParameterNames(query, rules, validate(schema, wellFormedParameters(query))),
  }
}

/** Findings about names come before those about values. */
export function checkParameterNames<T>(query: QueryString, rules: ParameterRules, values: Validated<T>): Validated<T> {
  const details = [...parameterFindings(query, rules), ...(values.ok ? [] : values.details)]
  return details.length === 0 ? values : { ok: false, details: details.map(explainBrackets) }
}

/**
 * Explains `source[]=…` and `metadata[page]=…`, the notation of PHP, Rails and others for lists and maps: no parameter has
 * such a name.
 */
function explainBrackets(finding: ErrorDetail): ErrorDetail {
  const [, name] = /^(\w+)\[/.exec(finding.path) ?? []
  if (name === undefined) return finding
  const written =
    name === 'metadata' ? 'a filter by metadata is metadata.<key>=<value>' : `a list is ${name}=a&${name}=b`
  return { ...finding, message: `${UNKNOWN_FIELD}: names have no brackets here, ${written}` }
}

export const NO_PARAMETERS: QueryRule<unknown> = queryOf(v.object({}))
