const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether PostgreSQL's `uuid` takes the string in its usual form; another one names nothing that is stored. */
export function isUuid(value: string): boolean {
  return UUID.test(value)
}
