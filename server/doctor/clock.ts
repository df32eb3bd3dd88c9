import type { Finding } from '../../src/contract/doctor.ts'
import { ok, warning } from './finding.ts'

export interface ClockReadings {
  server: Date
  database: Date
  /** When the database was last migrated, by its own clock. */
  migrated: Date
}

const MOST_SKEW_MS = 5_000
/** No version of this service is older. A machine without a battery for its clock starts in 1970. */
const RELEASED = new Date('2026-01-01')
const HINT = 'synchronise both with a time server (NTP)'

/** Whether the clocks agree, and whether they can be right: two on one machine always agree. */
export function clockFinding({ server, database, migrated }: ClockReadings): Finding {
  const skew = Math.abs(database.getTime() - server.getTime())
  if (skew > MOST_SKEW_MS) {
    return warning('clock', `the clocks of the server and the database differ by ${Math.round(skew / 1000)} s`, HINT)
  }
  const say = `the clocks of the server and the database say ${database.toISOString()}`
  if (database < RELEASED) return warning('clock', `${say}, and this service is younger`, HINT)
  if (database.getTime() < migrated.getTime() - MOST_SKEW_MS) {
    const before = `${say}, but the database was migrated at ${migrated.toISOString()}`
    return warning('clock', `${before}: the clock is slow now, or was fast then`, HINT)
  }
  return ok('clock', 'the clocks of the server and the database agree')
}
