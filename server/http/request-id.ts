import { randomUUID } from 'node:crypto'
import { REQUEST_ID_LENGTH } from '../../src/contract/limits.ts'

const ALLOWED = new RegExp(`^[A-Za-z0-9._:-]{1,${REQUEST_ID_LENGTH}}$`)

/** The caller's own `x-request-id` when it has the contract's form, else a fresh one. */
export function requestIdOf(header: string | null): string {
  return header !== null && ALLOWED.test(header) ? header : randomUUID()
}
