import * as v from 'valibot'

/** What `GET /whoami` answers. */
export const whoami = v.looseObject({
  key: v.looseObject({
    id: v.string(),
    kind: v.picklist(['secret', 'publishable']),
    env: v.picklist(['live', 'test']),
  }),
  project: v.looseObject({ id: v.string(), name: v.string() }),
})
export type WhoAmI = v.InferOutput<typeof whoami>
