import * as v from 'valibot'
import { keyKind } from './key.ts'
import { environment } from './review.ts'

/** Response of `GET /whoami`, this server's own route, outside `/v1`. */
export const whoamiResponse = v.object({
  key: v.object({ id: v.string(), kind: keyKind, env: environment }),
  project: v.object({ id: v.string(), name: v.string() }),
})
