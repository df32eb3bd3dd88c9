/** The `code` of something thrown: Node's (`ENOENT`), PostgreSQL's (`23503`) or our own; undefined when it has none. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** For `.catch`: what was thrown with one of these codes becomes undefined, anything else is thrown again. */
export function ignoreCodes(...codes: string[]): (error: unknown) => undefined {
  return (error) => {
    if (!codes.includes(codeOf(error) ?? '')) throw error
  }
}

/** An error identified by a stable code; the message is for people. */
export class CodedError<TCode extends string> extends Error {
  readonly code: TCode
  constructor(code: TCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.code = code
  }
}
