import { timingSafeEqual } from 'node:crypto'
import { type KeyKind, parseKey } from '../../src/contract/key.ts'
import type { Environment } from '../../src/contract/review.ts'
import { ApiError } from './api-error.ts'
import { hashKey } from './api-key.ts'
import type { QueryString } from './query-string.ts'

export interface PresentedKey {
  kind: KeyKind
  env: Environment
  /** SHA-256 of the key, under which it is stored. */
  hash: Buffer
}

/** How a route treats `?key=`: as a publishable key or as an error; without one, like any unknown parameter. */
export type KeyParameter = 'accepted' | 'refused'

/**
 * The key of a request, judged by its format alone (contract, "Authentication", rules 1–5).
 * @throws {ApiError} `unauthorized`
 */
export function presentedKey(
  authorization: string | null,
  query: QueryString,
  keyParameter: KeyParameter | undefined,
): PresentedKey {
  const inUrl = query.parameters.getAll('key')
  if (inUrl.some((value) => value.startsWith('svc_sk_')) || hasSecretKey(query)) {
    throw unauthorized(
      'A secret key must not stand in a URL, where logs and browser histories keep it. Send it as Authorization: Bearer, and revoke this one.',
    )
  }
  if (keyParameter === 'refused' && inUrl.length > 0) {
    throw unauthorized('POST /v1/query takes its key in the Authorization header only, not as ?key=.')
  }
  if (keyParameter === 'accepted' && inUrl.length > 1) throw unauthorized('The parameter key must be given once.')
  if (authorization !== null) {
    const token = bearerToken(authorization)
    if (token === undefined) throw unauthorized(BEARER_FORM)
    return checkKeyFormat(token)
  }
  const [key] = inUrl
  if (keyParameter === 'accepted' && key !== undefined) return checkKeyFormat(key)
  const also = keyParameter === 'accepted' ? ' (a publishable key may be sent as ?key= instead)' : ''
  throw unauthorized(`An API key is needed. Send it as Authorization: Bearer <API key>${also}.`)
}

const BEARER_FORM = 'The Authorization header must be: Bearer <API key>, once, with a capital B and one space.'

export function unknownKey(): ApiError {
  return unauthorized('This API key is unknown, revoked or expired.')
}

/** Requires the operator's token in the header. Compares in constant time. @throws {ApiError} `unauthorized` */
export function requireOperatorToken(authorization: string | null, operatorToken: string): void {
  const token = authorization === null ? undefined : bearerToken(authorization)
  if (token !== undefined && timingSafeEqual(hashKey(token), hashKey(operatorToken))) return
  throw unauthorized('This route takes the operator token of the server, as Authorization: Bearer <token>.')
}

function checkKeyFormat(token: string): PresentedKey {
  const form = parseKey(token)
  if (!form) {
    throw unauthorized(
      'This is not an API key: one begins with svc_sk_ or svc_pk_, then live_ or test_, then 32 letters and digits.',
    )
  }
  return { ...form, hash: hashKey(token) }
}

function bearerToken(authorization: string): string | undefined {
  return /^Bearer ([^\s,]+)$/.exec(authorization)?.[1]
}

const SECRET_KEY = /svc_sk_(?:live|test)_[0-9A-Za-z]{32}/

function hasSecretKey({ parameters, rest }: QueryString): boolean {
  for (const [name, value] of parameters) if (SECRET_KEY.test(name) || SECRET_KEY.test(value)) return true
  // A key is ASCII, so each escape is one byte.
  const unescaped = rest.replace(/%([0-7][0-9a-fA-F])/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return SECRET_KEY.test(unescaped)
}

function unauthorized(message: string): ApiError {
  return new ApiError('unauthorized', message)
}
