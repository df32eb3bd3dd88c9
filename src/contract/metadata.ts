import * as v from 'valibot'
import { METADATA } from './limits.ts'
import { isStorable } from './text.ts'

/** A flat map of strings. Keys such as `__proto__` are ordinary own keys. */
export type Metadata = Record<string, string>

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

// The hand-written check below as JSON Schema, for the API description.
const jsonSchema = {
  type: 'object',
  maxProperties: METADATA.entries,
  propertyNames: { minLength: 1, maxLength: METADATA.keyLength, pattern: '^[^\\x00]*$' },
  additionalProperties: { type: 'string', maxLength: METADATA.valueLength, pattern: '^[^\\x00]*$' },
}

/**
 * The metadata of a review. Checked by hand because valibot's `record` silently drops `__proto__` and `constructor`,
 * which the contract's decisions forbid. The output is the input object itself, not a copy.
 */
export const metadata = v.pipe(
  v.custom<Record<string, unknown>>(isPlainObject, 'must be an object of strings'),
  v.metadata(jsonSchema),
  v.rawCheck<Record<string, unknown>>(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const input = dataset.value
    const entries = Object.entries(input)
    if (entries.length > METADATA.entries) {
      addIssue({ message: `must have at most ${METADATA.entries} entries` })
      return
    }
    for (const [key, value] of entries) {
      const complain = (message: string) =>
        addIssue({ message, path: [{ type: 'object', origin: 'value', input, key, value }] })
      if (key.length < 1 || key.length > METADATA.keyLength)
        complain(`must have a key of 1 to ${METADATA.keyLength} characters`)
      if (typeof value !== 'string') complain('must be a string')
      else if (value.length > METADATA.valueLength) complain(`must have at most ${METADATA.valueLength} characters`)
      if (!isStorable(key) || (typeof value === 'string' && !isStorable(value)))
        complain('must not contain U+0000 or half of a surrogate pair')
    }
  }),
  v.transform((input) => input as Metadata),
)

/** Metadata in a response. Not valibot's `record`, for the same reason. */
export const storedMetadata = v.pipe(
  v.custom<Metadata>(
    (value) => isPlainObject(value) && Object.values(value).every((one) => typeof one === 'string'),
    'must be an object of strings',
  ),
  v.metadata({ type: 'object', additionalProperties: { type: 'string' } }),
)
