import type { Sql } from '../deps.ts'
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

/** @throws {DatabaseUnfit} a setting would make answers wrong */
export async function checkSettings(sql: Sql): Promise<void> {
  const rows = await sql<{ name: string; setting: string; role: string }[]>`
    -- Settings are those of the role that logged in, whichever it has changed to since.
    select name, current_setting(name) as setting, quote_ident(session_user) as role
    from unnest(${NEEDED.map(([name]) => name)}::text[]) as name`
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
