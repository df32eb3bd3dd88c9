import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { METADATA } from '../../src/contract/limits.ts'
import { filters } from '../../src/contract/query.ts'

export type Json = { [key: string]: unknown }

const CONFIG: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'input',
  errorMode: 'throw',
  // What these check has no word in JSON Schema, or is said beside them as metadata of the schema.
  ignoreActions: ['check', 'raw_check', 'trim', 'raw_transform'],
  overrideSchema({ valibotSchema, jsonSchema }) {
    const schema: unknown = valibotSchema
    // Checked by hand: the JSON Schema stands in its metadata.
    if (valibotSchema.type === 'custom') return {}
    if (schema === filters) return { ...jsonSchema, patternProperties: FLAT_METADATA }
    return undefined
  },
}

const FLAT_METADATA = {
  [`^metadata\\.[^\\u0000]{1,${METADATA.keyLength}}$`]: {
    type: 'string' as const,
    maxLength: METADATA.valueLength,
    pattern: '^[^\\u0000]*$',
  },
}

/** The JSON Schema (2020-12, the dialect of OpenAPI 3.1) of what a valibot schema takes. */
export function jsonSchemaOf(schema: v.GenericSchema): Json {
  const { $schema: _, ...rest } = toJsonSchema(schema, CONFIG)
  return rest
}

/** Fields with a default are always present in an answer of this version: clients take the default of older servers. */
const answerConfig = (root: v.GenericSchema, names: ReadonlyMap<unknown, string>): ConversionConfig => ({
  ...CONFIG,
  typeMode: 'output',
  overrideSchema(context) {
    const { valibotSchema, jsonSchema } = context
    const name = names.get(valibotSchema)
    if (name !== undefined && valibotSchema !== root) return { $ref: `#/components/schemas/${name}` }
    const { default: _, ...rest } = jsonSchema
    if (valibotSchema.type === 'optional') return rest
    if (!('entries' in valibotSchema)) return CONFIG.overrideSchema?.(context)
    const entries = Object.entries(valibotSchema.entries as v.ObjectEntries)
    const isAlwaysThere = ([, entry]: (typeof entries)[number]) =>
      entry.type !== 'exact_optional' && (entry.type !== 'optional' || v.getDefault(entry) !== undefined)
    return { ...jsonSchema, required: entries.filter(isAlwaysThere).map(([name]) => name) }
  },
})

/** The same of what an answer is made of. @param names of the schemas in it that are described by themselves */
export function answerSchemaOf(schema: v.GenericSchema, names: ReadonlyMap<unknown, string> = new Map()): Json {
  const { $schema: _, ...rest } = toJsonSchema(schema, answerConfig(schema, names))
  return rest
}

/** A query parameter's schema, with numbers as numbers: in the address both are written the same. */
export function parameterSchemaOf(schema: v.GenericSchema): Json {
  const { pattern, ...jsonSchema } = jsonSchemaOf(schema)
  if (jsonSchema.type !== 'integer') return { ...jsonSchema, pattern }
  const preset = jsonSchema.default
  return { ...jsonSchema, default: preset === undefined ? undefined : Number(preset) }
}
