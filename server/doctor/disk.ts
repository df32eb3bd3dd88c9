import type { Finding } from '../../src/contract/doctor.ts'
import { LEAST_FREE_BYTES } from '../db/home/free-space.ts'
import { failure, ok, warning } from './finding.ts'

const LEAST_BYTES = 1e9
const HINT = 'free some space, or move PULLQUOTE_HOME to a larger disk'

/** @param isEmbedded whether the database is on this disk, so that nothing is stored while it is almost full */
export function diskFinding(free: number, home: string, isEmbedded: boolean): Finding {
  const left = free < LEAST_BYTES ? `${Math.floor(free / 1e6)} MB` : `${(free / 1e9).toFixed(1)} GB`
  const message = `${left} free in ${home}`
  if (isEmbedded && free < LEAST_FREE_BYTES) {
    const needed = `${Math.ceil(LEAST_FREE_BYTES / 1e6)} MB are needed`
    return failure('disk', `${message}: ${needed} to store and index reviews, and pushes and imports are refused`, HINT)
  }
  return free < LEAST_BYTES ? warning('disk', message, HINT) : ok('disk', message)
}
