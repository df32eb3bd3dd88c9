import * as v from 'valibot'
import { OPERATOR_LIST_LIMIT } from './limits.ts'
import { integerParameter } from './scalars.ts'

/** Query parameters of the operator's lists. Without a limit they return everything, as earlier clients expect. */
export const operatorListParameters = {
  cursor: v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]+$/, 'is not a cursor of this list'))),
  limit: v.optional(integerParameter(OPERATOR_LIST_LIMIT)),
}
export type OperatorListRequest = v.InferOutput<v.ObjectSchema<typeof operatorListParameters, undefined>>

/** The cursor of the next page; null on the last. Optional: earlier servers return the whole list. */
export const nextCursor = v.optional(v.nullable(v.string()), null)
