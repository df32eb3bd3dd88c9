import { createHash, randomInt } from 'node:crypto'
import type { KeyKind } from '../../src/contract/key.ts'
import type { Environment } from '../../src/contract/review.ts'
import type { Sql } from '../deps.ts'
import { createKey, type NewKey } from '../sql/access/keys.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_CHARACTERS = 32
const HINT_CHARACTERS = 4

/** A new key in the contract's format, with about 190 bits of entropy. */
export function newApiKey(kind: KeyKind, env: Environment): string {
  const random = Array.from({ length: RANDOM_CHARACTERS }, () => BASE62[randomInt(BASE62.length)])
  return `svc_${kind === 'secret' ? 'sk' : 'pk'}_${env}_${random.join('')}`
}

/** SHA-256, the only form in which a key is stored. A key is random and long, so a slow hash would add nothing. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** The part of a key by which people recognise it. */
export function keyHint(key: string): string {
  return key.slice(-HINT_CHARACTERS)
}

/** Creates a key, which is shown only once. @returns undefined when there is no such project */
export async function issueKey(sql: Sql, fields: Omit<NewKey, 'keyHash' | 'hint'>) {
  const key = newApiKey(fields.kind, fields.env)
  const record = await createKey(sql, { ...fields, keyHash: hashKey(key), hint: keyHint(key) })
  return record && { key, record }
}
