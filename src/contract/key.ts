import * as v from 'valibot'
import { fields } from './fields.ts'
import { KEY_MAX_DAYS, NAME_LENGTH } from './limits.ts'
import { nextCursor } from './operator-list.ts'
import { type Environment, environment } from './review.ts'
import { instant, integerBetween, uuid } from './scalars.ts'
import { nameText } from './text.ts'

/** API keys in the operator's routes, which are this server's own, outside `/v1`. */

export const keyKind = v.picklist(['secret', 'publishable'], 'must be secret or publishable')
export type KeyKind = v.InferOutput<typeof keyKind>

const KEY = /^svc_(sk|pk)_(live|test)_[0-9A-Za-z]{32}$/

/** The kind and environment of a key by its format; undefined when the string is not a key. */
export function parseKey(value: string): { kind: KeyKind; env: Environment } | undefined {
  const match = KEY.exec(value)
  if (!match) return undefined
  return { kind: match[1] === 'sk' ? 'secret' : 'publishable', env: match[2] === 'live' ? 'live' : 'test' }
}

/** The body of `POST /operator/keys`. */
export const createKeyBody = fields({
  project: v.string(),
  kind: keyKind,
  env: environment,
  name: v.optional(nameText(NAME_LENGTH)),
  expires_in_seconds: v.optional(integerBetween({ min: 1, max: KEY_MAX_DAYS * 86_400 })),
})
export type CreateKeyBody = v.InferOutput<typeof createKeyBody>

const common = {
  id: uuid,
  kind: keyKind,
  env: environment,
  /** The project's name. */
  project: v.string(),
  name: v.optional(v.nullable(v.string()), null),
  created_at: instant,
  expires_at: v.nullable(instant),
}

/** A newly created key, the only time that it is shown. */
export const createdKey = v.object({ ...common, key: v.string() })
export type CreatedKey = v.InferOutput<typeof createdKey>

/** A key as `GET /operator/keys` lists it. */
export const listedKey = v.object({
  ...common,
  /** Its last characters. */
  hint: v.string(),
  last_used_at: v.optional(v.nullable(instant), null),
  revoked_at: v.nullable(instant),
})
export type ListedKey = v.InferOutput<typeof listedKey>

export const keysResponse = v.object({ keys: v.array(listedKey), next_cursor: nextCursor })
