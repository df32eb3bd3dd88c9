import { codeOf } from '../../src/contract/code-of.ts'

/** SQLSTATE foreign_key_violation. */
const FOREIGN_KEY_VIOLATION = '23503'

/** Whether a statement failed because what its rows belong to was deleted by another while it ran. */
export function isReferenceGone(error: unknown): boolean {
  return codeOf(error) === FOREIGN_KEY_VIOLATION
}
