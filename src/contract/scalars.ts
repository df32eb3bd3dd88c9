import * as v from 'valibot'

/** The values that answers are made of. */

export const uuid = v.pipe(v.string(), v.uuid())
export const instant = v.pipe(v.string(), v.isoTimestamp())
export const count = v.pipe(v.number(), v.integer(), v.minValue(0))
