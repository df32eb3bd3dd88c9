import * as v from 'valibot'

/** The schema types in the contract's responses. */
type Known =
  | v.ObjectSchema<v.ObjectEntries, undefined>
  | v.StrictObjectSchema<v.ObjectEntries, undefined>
  | v.ArraySchema<v.GenericSchema, undefined>
  | v.NullableSchema<v.GenericSchema, undefined>
  | v.OptionalSchema<v.GenericSchema, unknown>
  | v.ExactOptionalSchema<v.GenericSchema, undefined>

const made = new WeakMap<v.GenericSchema, v.GenericSchema>()

/** Loosens a response schema: unknown fields pass through, and only types are checked, not ranges or formats. */
export function tolerant<TSchema extends v.GenericSchema>(
  schema: TSchema,
): v.GenericSchema<unknown, v.InferOutput<TSchema>> {
  const reader = made.get(schema) ?? loosened(schema)
  made.set(schema, reader)
  return reader as v.GenericSchema<unknown, v.InferOutput<TSchema>>
}

function loosened(schema: v.GenericSchema): v.GenericSchema {
  if ('pipe' in schema && Array.isArray(schema.pipe)) return loosened(schema.pipe[0])
  const known = schema as unknown as Known
  switch (known.type) {
    case 'object':
    case 'strict_object':
      return v.looseObject(
        Object.fromEntries(Object.entries(known.entries).map(([name, entry]) => [name, loosenedEntry(entry)])),
      )
    case 'array':
      return v.array(loosened(known.item))
    case 'nullable':
      return v.nullable(loosened(known.wrapped))
    default:
      return schema
  }
}

function loosenedEntry(entry: v.ObjectEntries[string]): v.ObjectEntries[string] {
  const known = entry as unknown as Known
  if (known.type === 'optional') return v.optional(loosened(known.wrapped), known.default)
  if (known.type === 'exact_optional') return v.exactOptional(loosened(known.wrapped))
  return loosened(entry as v.GenericSchema)
}
