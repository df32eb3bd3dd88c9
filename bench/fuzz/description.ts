/** `/openapi.json` as far as requests are made of it. */
import * as v from 'valibot'

const schema = v.record(v.string(), v.unknown())
export type Schema = v.InferOutput<typeof schema>

const parameter = v.looseObject({
  name: v.string(),
  in: v.picklist(['query', 'path', 'header']),
  schema: v.optional(schema, {}),
})
const operation = v.looseObject({
  operationId: v.optional(v.string()),
  security: v.array(v.record(v.string(), v.unknown())),
  parameters: v.optional(v.array(parameter), []),
  requestBody: v.optional(
    v.looseObject({ content: v.record(v.string(), v.looseObject({ schema: v.optional(schema, {}) })) }),
  ),
  responses: v.record(v.string(), v.unknown()),
})
const document = v.looseObject({
  paths: v.record(v.string(), v.record(v.string(), v.unknown())),
  components: v.looseObject({ schemas: v.record(v.string(), schema) }),
})

const METHODS = ['get', 'post', 'patch', 'delete', 'options', 'put', 'head']

export interface Operation {
  /** E.g. `GET /v1/reviews/{id}`. */
  name: string
  method: string
  path: string
  parameters: v.InferOutput<typeof parameter>[]
  /** By media type; `undefined`: takes none. */
  body: Record<string, Schema> | undefined
  /** Statuses that it may answer. */
  statuses: Set<number>
}

export interface Description {
  operations: Operation[]
  schemas: Record<string, Schema>
}

export function readDescription(json: unknown): Description {
  const { paths, components } = v.parse(document, json)
  const operations = Object.entries(paths).flatMap(([path, item]) => {
    const shared = v.parse(v.optional(v.array(parameter), []), item.parameters)
    return METHODS.filter((method) => method in item).map((method): Operation => {
      const { parameters, requestBody, responses } = v.parse(operation, item[method])
      return {
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        parameters: [...shared, ...parameters],
        body:
          requestBody &&
          Object.fromEntries(Object.entries(requestBody.content).map(([type, one]) => [type, one.schema])),
        statuses: new Set(Object.keys(responses).map(Number)),
      }
    })
  })
  return { operations, schemas: components.schemas }
}
