import * as v from 'valibot'

/** Scalars of bodies, parameters and responses. */

export const uuid = v.pipe(v.string(), v.uuid())
export const instant = v.pipe(v.string(), v.isoTimestamp())
export const count = v.pipe(v.number(), v.integer(), v.minValue(0))
/** Not an integer in the API description: many generators read integers with 32 bits, and memory is larger. */
export const bytes = v.pipe(v.number(), v.minValue(0))

function between({ min, max }: { min: number; max: number }) {
  return [
    v.minValue<number, number, string>(min, `must be at least ${min}`),
    v.maxValue<number, number, string>(max, `must be at most ${max}`),
  ] as const
}

/** A whole number in a JSON body. */
export function integerBetween(range: { min: number; max: number }) {
  return v.pipe(v.number(), v.integer('must be a whole number'), ...between(range))
}

/** An integer in a query string: digits only (`5.0`, `+5` and `0x5` are rejected). */
export function integerParameter(range: { min: number; max: number }) {
  return v.pipe(
    v.string(),
    v.regex(/^\d+$/, 'must be a whole number'),
    v.metadata({ type: 'integer', minimum: range.min, maximum: range.max }),
    v.transform(Number),
    ...between(range),
  )
}

/** A cosine similarity, 0 to 1. */
export const similarity = v.pipe(v.number(), ...between({ min: 0, max: 1 }))
