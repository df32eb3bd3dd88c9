/** Values made of a JSON schema: sound ones, ones at its limits, and spoiled ones. */
import * as v from 'valibot'
import type { Schema } from './description.ts'
import { DATES, monotony, text, value } from './hostile.ts'
import type { Random } from './random.ts'

const known = v.looseObject({
  $ref: v.optional(v.string()),
  const: v.optional(v.unknown()),
  enum: v.optional(v.array(v.unknown())),
  anyOf: v.optional(v.array(v.record(v.string(), v.unknown()))),
  allOf: v.optional(v.array(v.record(v.string(), v.unknown()))),
  oneOf: v.optional(v.array(v.record(v.string(), v.unknown()))),
  type: v.optional(v.union([v.string(), v.array(v.string())])),
  format: v.optional(v.string()),
  examples: v.optional(v.array(v.unknown()), []),
  minLength: v.optional(v.number()),
  maxLength: v.optional(v.number()),
  minimum: v.optional(v.number()),
  maximum: v.optional(v.number()),
  minItems: v.optional(v.number()),
  maxItems: v.optional(v.number()),
  items: v.optional(v.record(v.string(), v.unknown())),
  properties: v.optional(v.record(v.string(), v.record(v.string(), v.unknown()))),
  required: v.optional(v.array(v.string()), []),
})

export interface Making {
  random: Random
  schemas: Record<string, Schema>
  /** Share of the parts that are replaced by something else. */
  spoil: number
  /** What a field of this name is made of, where its schema does not tell. */
  special?(name: string): unknown
}

export function fromSchema(schema: Schema, making: Making, name = ''): unknown {
  const { random, schemas, spoil } = making
  if (random.chance(spoil)) return value(random)
  const special = making.special?.(name)
  if (special !== undefined) return special
  const shape = v.parse(known, schema)
  const type = Array.isArray(shape.type) ? random.pick(shape.type) : shape.type
  if (shape.$ref !== undefined) return fromSchema(schemas[shape.$ref.split('/').at(-1) ?? ''] ?? {}, making, name)
  if ('const' in shape && shape.const !== undefined) return shape.const
  if (shape.enum) return random.pick(shape.enum)
  const options = shape.anyOf ?? shape.oneOf
  if (options && type === undefined) return fromSchema(random.pick(options), making, name)
  if (shape.allOf) return fromSchema(random.pick(shape.allOf), making, name)
  if (type === 'integer' || type === 'number') return number(shape, random)
  if (type === 'boolean') return random.chance(0.5)
  if (type === 'null') return null
  if (type === 'array') return list(shape, making, name)
  if (type === 'object') return record(shape, making)
  if (type === 'string') return string(shape, random)
  return value(random)
}

type Shape = v.InferOutput<typeof known>

function number({ minimum = 0, maximum = minimum + 100 }: Shape, random: Random): number {
  if (random.chance(0.1)) return random.pick([minimum - 1, maximum + 1, minimum + 0.5])
  return minimum + random.int(maximum - minimum + 1)
}

function string({ format, examples, minLength = 0, maxLength = 60 }: Shape, random: Random): string {
  if (format === 'date-time' || examples.some(isDate)) return random.pick(DATES)
  if (format === 'uuid') return '5f0c1f2e-3f52-4b44-9d5e-8b4d0a7c2f10'
  if (format === 'uri')
    return random.pick(['https://a.example/x', 'https://é.example/?q=1', 'javascript:alert(1)', 'http://['])
  if (random.chance(0.06)) return monotony(random, random.pick([maxLength, maxLength, maxLength + 1, minLength]))
  const made = `${text(random)} the terrace at breakfast was worth the trip`
  return made.slice(0, Math.min(maxLength, 1 + random.int(120)))
}

/** Of a day or an instant the description has no format. */
const isDate = (example: unknown) => typeof example === 'string' && /^\d{4}-\d{2}-\d{2}/.test(example)

function list({ items = {}, minItems = 0, maxItems = 20 }: Shape, making: Making, name: string): unknown[] {
  const { random } = making
  const few = minItems + random.int(4)
  const length = random.chance(0.03) ? random.pick([maxItems, maxItems + 1]) : Math.min(few, maxItems)
  return random.list(length, () => fromSchema(items, making, name))
}

function record({ properties = {}, required }: Shape, making: Making): Record<string, unknown> {
  const { random, spoil } = making
  const entries = Object.entries(properties)
    .filter(([key]) => (required.includes(key) ? !random.chance(spoil / 2) : random.chance(0.5)))
    .map(([key, schema]): [string, unknown] => [key, fromSchema(schema, making, key)])
  if (entries.length === 0 && Object.keys(properties).length === 0) {
    entries.push(...random.list(random.int(4), (): [string, unknown] => [text(random) || 'k', text(random)]))
  }
  if (random.chance(spoil)) entries.push([random.pick(['__proto__', 'x', text(random)]), value(random)])
  return Object.fromEntries(entries)
}
