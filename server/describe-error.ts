/**
 * An error for the log. The message and detail of a database error may quote stored values ("Key (external_id)=(…) already
 * exists"), so only its codes and names are kept; with the stack they identify the statement.
 */
export function describeError(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { thrown: typeof error }
  const fields = Object.fromEntries(
    ['code', 'severity', 'constraint_name', 'table_name', 'column_name', 'routine', 'errno', 'syscall']
      .filter((name) => name in error)
      .map((name) => [name, Reflect.get(error, name)]),
  )
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  return {
    name: error.name,
    ...('severity' in error ? {} : { message: error.message }),
    ...fields,
    stack: frames?.map((line) => line.trim()),
    ...(error.cause !== undefined && depth < 3 ? { cause: describeError(error.cause, depth + 1) } : {}),
  }
}
