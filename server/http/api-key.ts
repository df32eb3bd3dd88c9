import { createHash, randomInt } from 'node:crypto'
import type { KeyKind } from '../../src/contract/key.ts'
import type { Environment } from '../../src/contract/review.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_CHARACTERS = 32
const HINT_CHARACTERS = 4

/** A fresh key of the contract's format, with about 190 bits of chance. */
export function newApiKey(kind: KeyKind, env: Environment): string {
  const random = Array.from({ length: RANDOM_CHARACTERS }, () => BASE62[randomInt(BASE62.length)])
  return `svc_${kind === 'secret' ? 'sk' : 'pk'}_${env}_${random.join('')}`
}

/** SHA-256, the only form in which a key is stored. A key is random and long: a slow hash would add nothing. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** The part of a key by which a person tells it from others. */
export function keyHint(key: string): string {
  return key.slice(-HINT_CHARACTERS)
}
