/** SQLSTATE foreign_key_violation. */
const FOREIGN_KEY_VIOLATION = '23503'

/** Whether a statement failed because what its rows belong to was deleted by another while it ran. */
export function isReferenceGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === FOREIGN_KEY_VIOLATION
}
