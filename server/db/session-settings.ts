import type { Log, Sql } from '../deps.ts'
import { DatabaseUnfit } from './requirements.ts'

/**
 * Settings that statements and results rely on: the name, acceptable values, and the one to set. Most are PostgreSQL's
 * defaults, some are sent with each connection; a role, a database, an address or a pooler may override them.
 */
const NEEDED: [name: string, fits: RegExp, value: string][] = [
  ['bytea_output', /^hex$/, 'hex'],
  ['client_encoding', /^UTF8$/, 'UTF8'],
  ['DateStyle', /^ISO,/, 'ISO, MDY'],
  // A transaction takes its locks before it reads what others did meanwhile.
  ['default_transaction_isolation', /^read (?:un)?committed$/, 'read committed'],
  ['extra_float_digits', /^[123]$/, '1'],
  // With `replica` nothing cascades: the excerpts of a deleted review stay.
  ['session_replication_role', /^(?:origin|local)$/, 'origin'],
  // Without it the backslashes of patterns are lost, and words such as Wi-Fi are parsed differently in texts and in queries.
  ['standard_conforming_strings', /^on$/, 'on'],
  ['TimeZone', /^(?:Etc\/)?(?:UTC|GMT)$/, 'UTC'],
]

/** Settings that are sent with each connection (connect.ts), which a pooler may ignore: where it does, the role should have them. */
const IGNORED: [name: string, without: string, value: string][] = [
  ['idle_in_transaction_session_timeout', '0', '60s'],
  ['jit', 'on', 'off'],
  ['statement_timeout', '0', '15s'],
]

/** Says that a pooler takes those settings away: nothing goes wrong then, until something hangs. */
export async function warnAboutIgnoredSettings(sql: Sql, log: Log): Promise<void> {
  const rows = await settingsOf(
    sql,
    IGNORED.map(([name]) => name),
  )
  const lost = IGNORED.flatMap(([name, without, value]) =>
    rows.filter((row) => row.name === name && row.setting === without).map((row) => ({ ...row, value })),
  )
  if (lost.length === 0) return
  const settings = Object.fromEntries(lost.map(({ name, setting }) => [name, setting]))
  const statements = lost.map(({ name, role, value }) => `ALTER ROLE ${role} SET ${name} = '${value}';`).join(' ')
  log.warn(
    settings,
    `a pooler before the database ignores settings of this server, or DATABASE_URL changes them: a statement that hangs is not ended, or searches are slower. Run ${statements}`,
  )
}

/** A request waits as long as a statement may take; a shorter limit refuses what merely waits its turn. */
const SHORT_MS = 15_000

/**
 * Names limits of the role or the database that end requests early: pushes to a busy project wait for each other. They are not
 * overridden, since a pooler that does not know them would refuse the connection.
 */
export async function warnAboutTimeLimits(sql: Sql, log: Log): Promise<void> {
  // `transaction_timeout` came with PostgreSQL 17.
  const short = await sql<{ name: string; ms: number; role: string }[]>`
    select name, setting::int as ms, quote_ident(session_user) as role from pg_settings
    where name in ('lock_timeout', 'transaction_timeout') and setting::int between 1 and ${SHORT_MS - 1}`
  if (short.length === 0) return
  const statements = short.map(({ name, role }) => `ALTER ROLE ${role} SET ${name} = 0;`).join(' ')
  const query = short.map(({ name }) => `${name}=0`).join('&')
  log.warn(
    Object.fromEntries(short.map(({ name, ms }) => [name, `${ms}ms`])),
    `the database ends what waits or takes longer than this: in busy times requests get 503. Run ${statements} or, unless a pooler is between, add ?${query} to DATABASE_URL`,
  )
}

/** False on a read replica, or where an operator or a host set `default_transaction_read_only`. */
export async function isWritable(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ writable: boolean }[]>`select current_setting('transaction_read_only') = 'off' as writable`
  return row?.writable ?? false
}

/** The values of this session, and the role whose settings it got: the one that logged in, whichever it has changed to since. */
async function settingsOf(sql: Sql, names: string[]) {
  return sql<{ name: string; setting: string; role: string }[]>`
    select name, current_setting(name) as setting, quote_ident(session_user) as role
    from unnest(${names}::text[]) as name`
}

/** @throws {DatabaseUnfit} a setting would make answers wrong */
export async function checkSettings(sql: Sql): Promise<void> {
  const rows = await settingsOf(
    sql,
    NEEDED.map(([name]) => name),
  )
  const wrong = NEEDED.flatMap(([name, fits, value]) => {
    const row = rows.find((one) => one.name === name)
    return row && !fits.test(row.setting) ? [{ ...row, value }] : []
  })
  if (wrong.length === 0) return
  const has = wrong.map(({ name, setting }) => `${name} = ${setting}`).join(', ')
  const statements = wrong.map(({ name, role, value }) => `ALTER ROLE ${role} SET ${name} = '${value}';`).join(' ')
  const query = wrong.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('&')
  const message = `This role's sessions have ${has}, with which answers would be wrong. Run ${statements} or, unless a pooler is between, add ?${query} to DATABASE_URL. Then start again.`
  throw new DatabaseUnfit('settings_not_fit', message)
}
