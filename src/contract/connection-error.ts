import { codeOf } from './code-of.ts'

const WITHOUT_TLS = 'ERR_SSL_WRONG_VERSION_NUMBER'
const WITHOUT_HTTP = 'HPE_INVALID_CONSTANT'

/** What listens there speaks another protocol: a retry would fail the same way. */
export function isOtherProtocol(error: unknown): boolean {
  return codeOf(innermost(error)) === WITHOUT_HTTP
}

/** No trusted certificate, or no TLS: a retry would fail the same way. */
export function isUntrusted(error: unknown): boolean {
  return codeOf(innermost(error)) === WITHOUT_TLS || isCertificateUntrusted(error)
}

export function isCertificateUntrusted(error: unknown): boolean {
  return /CERT|SIGNATURE/.test(codeOf(innermost(error)) ?? '')
}

/** `fetch` hides the reason in a chain of causes; the innermost one has it. */
export function innermost(error: unknown): unknown {
  let inner = error
  while (inner instanceof Error && inner.cause !== undefined) inner = inner.cause
  return inner instanceof AggregateError && inner.errors.length > 0 ? inner.errors[0] : inner
}

/** Why a connection failed, for people: `connect ECONNREFUSED 127.0.0.1:8787`. */
export function reasonOf(error: unknown): string {
  const inner = innermost(error)
  if (!(inner instanceof Error)) return String(inner)
  const code = codeOf(inner)
  if (code === WITHOUT_HTTP) return `what listens there does not speak HTTP (${code})`
  if (code === WITHOUT_TLS) return `it does not speak TLS there, which https:// asks for (${code})`
  // Node's `fetch` gives no reason for a 407.
  if (inner.message === '' && code === undefined)
    return 'its answer cannot be used, as that of a proxy that asks for a password'
  return code !== undefined && !inner.message.includes(code) ? `${inner.message || code} (${code})` : inner.message
}
