import type { Operator } from '../client/operator.ts'
import type { ListedKey } from '../contract/key.ts'
import { CliError, usageError } from './errors/cli-error.ts'
import { findUnrevoked, MIN_ID_LENGTH, matchingIds } from './ids.ts'
import { displayId, formatDuration, momentText } from './output/format.ts'
import { type Column, table } from './output/table.ts'
import type { Terminal } from './output/terminal.ts'
import { oneLine } from './output/text.ts'

/** The unrevoked key with this id or id prefix. @throws {CliError} `not_found`, or usage for an ambiguous or short prefix */
export async function findKey(operator: Pick<Operator, 'keys'>, given: string): Promise<ListedKey> {
  const keys = await operator.keys()
  const found = findUnrevoked(keys, given, 'keys')
  if (found) return found
  const list = 'see the ids with: pullquote keys list'
  if (given.length < MIN_ID_LENGTH) {
    throw usageError(`"${given}" is too short: give at least four characters of the key's id`, list)
  }
  const [revoked] = matchingIds(keys, given)
  throw new CliError(revoked ? `the key ${describeKey(revoked)} is already revoked` : `there is no key ${given}`, {
    code: 'not_found',
    hints: [list, 'create a new key with: pullquote keys create'],
  })
}

/** Keys as a table, without the secret parts. */
export function keyTable(keys: readonly ListedKey[], now: Date, terminal: Terminal): string {
  // On a terminal the column ENDS shows the state as well.
  const state: Column<ListedKey> = { heading: 'STATE', value: (key) => keyState(key, now) }
  const columns: Column<ListedKey>[] = [
    { heading: 'ID', value: ({ id }) => displayId(id, terminal) },
    { heading: 'PROJECT', value: (key) => oneLine(key.project), flexible: true },
    { heading: 'KEY', value: maskedKey },
    { heading: 'MADE', value: ({ created_at }) => momentText(created_at, now, terminal), flexible: true },
    ...(terminal.interactive ? [] : [state]),
    { heading: 'NAME', value: ({ name }) => oneLine(name ?? '') || '-', flexible: true },
    { heading: 'LAST USED', value: ({ last_used_at }) => momentText(last_used_at, now, terminal) },
    { heading: 'ENDS', value: (key) => endOf(key, now, terminal) },
  ]
  return table(keys, columns, terminal)
}

function endOf(key: ListedKey, now: Date, { interactive }: Terminal): string {
  const { expires_at } = key
  const state = keyState(key, now)
  if (interactive && state !== 'active') return state
  if (!interactive || expires_at === null) return expires_at ?? 'never'
  return `in ${formatDuration((Date.parse(expires_at) - now.getTime()) / 1000)}`
}

/** Whether a key is accepted, and if not, why. */
export function keyState(key: ListedKey, now: Date): 'active' | 'revoked' | 'expired' {
  if (key.revoked_at !== null) return 'revoked'
  return key.expires_at !== null && new Date(key.expires_at) <= now ? 'expired' : 'active'
}

/** `sk_live_…a1b2`. */
export function maskedKey({ kind, env, hint }: Pick<ListedKey, 'kind' | 'env' | 'hint'>): string {
  return `${kind === 'secret' ? 'sk' : 'pk'}_${env}_…${oneLine(hint)}`
}

/** `sk_live_…a1b2 of hotel`. */
export function describeKey(key: ListedKey): string {
  return `${maskedKey(key)} of ${oneLine(key.project)}`
}
