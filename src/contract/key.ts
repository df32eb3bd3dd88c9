import type { Environment } from './review.ts'

export type KeyKind = 'secret' | 'publishable'

const KEY = /^svc_(sk|pk)_(live|test)_[0-9A-Za-z]{32}$/

/** What a key says of itself before it is looked up; `undefined` when the string has not a key's format. */
export function parseKey(value: string): { kind: KeyKind; env: Environment } | undefined {
  const match = KEY.exec(value)
  if (!match) return undefined
  return { kind: match[1] === 'sk' ? 'secret' : 'publishable', env: match[2] === 'live' ? 'live' : 'test' }
}
