/** The `code` of something thrown: Node's (`ENOENT`), PostgreSQL's (`23503`) or our own; undefined when it has none. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
