import { type ConversionConfig, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { filters } from '../../src/contract/query.ts'
import { pushBody } from '../../src/contract/review.ts'
import { meaningsOf } from './meanings.ts'
import { ANSWER_SCHEMAS, REQUEST_SCHEMAS } from './named-schemas.ts'

export type Json = { [key: string]: unknown }
type Override = NonNullable<ConversionConfig['overrideSchema']>
type JsonSchema = Parameters<Override>[0]['jsonSchema']

const reference = (name: string) => `#/components/schemas/${name}`

const COMMON: ConversionConfig = {
  target: 'draft-2020-12',
  errorMode: 'throw',
  // Checks that JSON Schema cannot express, or that the schema's metadata expresses.
  ignoreActions: ['check', 'raw_check', 'trim', 'raw_transform'],
  overrideRef: ({ referenceId }) => reference(referenceId),
  overrideAction({ valibotAction, jsonSchema }) {
    if (valibotAction.type !== 'integer') return undefined
    const { format: _, ...rest } = jsonSchema
    return { ...rest, type: 'integer' }
  },
}

/** Deviations from the library, in requests and responses, for the sake of client generators. */
function portable(valibotSchema: v.GenericSchema, jsonSchema: JsonSchema): JsonSchema | undefined {
  // Checked by hand: its metadata has the JSON Schema.
  if (valibotSchema.type === 'custom') return {}
  // Some generators do not know `const`, and it has no type.
  if (valibotSchema.type === 'literal') {
    const { const: only, ...rest } = jsonSchema
    return typeof only === 'string' ? { type: 'string', enum: [only], ...rest } : jsonSchema
  }
  if (valibotSchema.type === 'nullable') return nullable(jsonSchema)
  // Without it, Go's generators read it with 24 bits, and Java's and C#'s as a decimal of any length.
  if (jsonSchema.type === 'number') return { ...jsonSchema, format: 'double' }
  return undefined
}

/**
 * Many languages get a class for a union with null, but not for a nullable type. NSwag (C#) reads a union with null only as
 * `oneOf`: of `anyOf` it makes a class that no answer can be read into.
 */
function nullable({ anyOf: [inner] = [], ...rest }: JsonSchema): JsonSchema {
  const isPlain = typeof inner === 'object' && typeof inner.type === 'string' && !inner.enum && !inner.properties
  if (!isPlain) return { oneOf: [inner ?? {}, { type: 'null' }], ...rest }
  return { ...inner, type: [inner.type, 'null'] as JsonSchema['type'], ...rest } as JsonSchema
}

const REQUESTS: ConversionConfig = {
  ...COMMON,
  typeMode: 'input',
  overrideSchema({ valibotSchema, jsonSchema }) {
    const schema: unknown = valibotSchema
    // The single review of its two forms becomes an array, and is therefore not a named schema.
    if (schema === pushBody) return { anyOf: [{ $ref: reference('ReviewInput') }, jsonSchema.anyOf?.[1] ?? {}] }
    // `metadata.<key>` next to the named fields: expressed as a pattern, a generated type would hold only strings.
    if (schema === filters) {
      const { additionalProperties: _, ...open } = described(valibotSchema, jsonSchema)
      return open
    }
    return portable(valibotSchema, jsonSchema) ?? described(valibotSchema, jsonSchema)
  },
}

const ANSWERS: ConversionConfig = {
  ...COMMON,
  typeMode: 'output',
  overrideSchema({ valibotSchema, jsonSchema }) {
    // Fields with a default are always present in a response of this version: clients apply the default for older servers.
    const { default: _, additionalProperties, ...rest } = jsonSchema
    if (valibotSchema.type === 'optional') {
      return additionalProperties === undefined ? rest : { ...rest, additionalProperties }
    }
    if (!('entries' in valibotSchema)) return portable(valibotSchema, jsonSchema)
    const entries = Object.entries(valibotSchema.entries as v.ObjectEntries)
    const isAlwaysThere = ([, entry]: (typeof entries)[number]) =>
      entry.type !== 'exact_optional' && (entry.type !== 'optional' || v.getDefault(entry) !== undefined)
    // Open, though this version sends nothing else: a client generated today can read a later version's responses.
    return described(valibotSchema, { ...rest, required: entries.filter(isAlwaysThere).map(([name]) => name) })
  },
}

/**
 * Adds the meanings of its fields. Defaults are described in words, since generators treat a body's field with a default as
 * required.
 */
function described(valibotSchema: v.GenericSchema, jsonSchema: JsonSchema): JsonSchema {
  const { properties } = jsonSchema
  if (properties === undefined) return jsonSchema
  const meanings = meaningsOf(valibotSchema)
  const entries = Object.entries(properties).map(([name, property]): [string, JsonSchema | boolean] => {
    if (typeof property === 'boolean') return [name, property]
    const { default: preset, ...rest } = property
    const words = [meanings[name] ?? '', preset === undefined ? '' : `Default: \`${preset}\`.`]
    const description = words.filter((one) => one !== '').join(' ')
    return [name, description === '' ? rest : { ...rest, description }]
  })
  return { ...jsonSchema, properties: Object.fromEntries(entries) }
}

function converter(config: ConversionConfig, definitions: Record<string, v.GenericSchema>) {
  const names = new Map<unknown, string>(Object.entries(definitions).map(([name, schema]) => [schema, name]))
  return (schema: v.GenericSchema): Json => {
    const name = names.get(schema)
    if (name !== undefined) return { $ref: reference(name) }
    const { $schema: _, $defs: __, ...rest } = toJsonSchema(schema, { ...config, definitions })
    return rest
  }
}

/** The JSON Schema (2020-12, the dialect of OpenAPI 3.1) of a valibot schema for requests, or a reference to it. */
export const jsonSchemaOf = converter(REQUESTS, REQUEST_SCHEMAS)

/** The same for responses. */
export const answerSchemaOf = converter(ANSWERS, ANSWER_SCHEMAS)

/** All named schemas. */
export function namedSchemas(): Json {
  return { ...toJsonSchemaDefs(REQUEST_SCHEMAS, REQUESTS), ...toJsonSchemaDefs(ANSWER_SCHEMAS, ANSWERS) }
}

/**
 * A query parameter's schema, with numbers as numbers: in an address both look the same. One with a default is inlined, since
 * generators set the default next to a reference as text.
 */
export function parameterSchemaOf(schema: v.GenericSchema): Json {
  const { $schema: _, ...jsonSchema } = hasDefault(schema) ? toJsonSchema(schema, REQUESTS) : jsonSchemaOf(schema)
  if (jsonSchema.type !== 'integer') return jsonSchema
  const { pattern: __, default: preset, ...rest } = jsonSchema
  return preset === undefined ? rest : { ...rest, default: Number(preset) }
}

const hasDefault = (schema: v.GenericSchema) => 'default' in schema && schema.default !== undefined
