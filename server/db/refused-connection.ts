import { codeOf } from '../../src/contract/code-of.ts'
import type { DatabaseAddress } from './address.ts'

/** A session setting that the server does not know. */
const UNKNOWN_SETTING = '42704'
/** From PostgreSQL it means a lost connection. At the first connection it is a pooler that rejects a parameter. */
export const PROTOCOL_VIOLATION = '08P01'
/** The certificate is valid but for another host (Node). */
const OTHER_NAME = 'ERR_TLS_CERT_ALTNAME_INVALID'

/**
 * Advice when the database refused the connection, or Node its certificate.
 * @param ssl what `DATABASE_URL` asks for
 */
export function hintOfRefusal(error: unknown, ssl: DatabaseAddress['ssl']): string {
  const code = codeOf(error)
  const isRefused = error instanceof Error && 'severity' in error
  if (code === OTHER_NAME)
    return 'In DATABASE_URL, use the host name from its certificate, or sslmode=verify-ca, which does not compare names.'
  if (typeof ssl === 'object' && !isRefused)
    return 'In DATABASE_URL, give the authority that signed its certificate (sslrootcert=FILE), or use sslmode=require alone (without channel_binding and sslrootcert), which does not check certificates.'
  if (code === PROTOCOL_VIOLATION)
    return 'It is a pooler (PgBouncer): use the address of PostgreSQL itself. Or add the parameter that it refuses, and jit, statement_timeout, idle_in_transaction_session_timeout, to ignore_startup_parameters there, and set them for the role instead (ALTER ROLE … SET …).'
  if (code === UNKNOWN_SETTING)
    return 'Correct it if it is in DATABASE_URL. PostgreSQL 10 and older do not know jit; 15 or newer is needed.'
  // The file name appears in the message whatever its language.
  if (typeof ssl !== 'object' && isRefused && error.message.includes('pg_hba.conf'))
    return ssl === 'prefer'
      ? 'Allow this connection in pg_hba.conf. If it only accepts connections without TLS, add ?sslmode=disable to DATABASE_URL.'
      : 'If it only accepts encrypted connections, as hosting providers do, add ?sslmode=require to DATABASE_URL. Otherwise allow this connection in pg_hba.conf.'
  return 'Check DATABASE_URL.'
}
