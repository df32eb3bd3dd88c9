import type { Operator } from '../client/operator.ts'
import type { ListedKey } from '../contract/key.ts'
import { CliError, usageError } from './errors/cli-error.ts'
import { displayId, formatDuration, MIN_ID_LENGTH, matchingIds, momentText } from './output/format.ts'
import { type Column, table } from './output/table.ts'
import type { Terminal } from './output/terminal.ts'
import { oneLine } from './output/text.ts'

/**
 * The key with this id or id prefix. A revoked one counts as not found, since nothing can be done with it.
 *
 * @throws {CliError} `not_found`, or usage when the prefix is ambiguous or too short
 */
export async function findKey(operator: Pick<Operator, 'keys'>, given: string): Promise<ListedKey> {
  const alike = matchingIds(await operator.keys(), given)
  const open = alike.filter((key) => key.revoked_at === null)
  const [found, ...others] = open
  if (found && others.length === 0) return found
  if (found) throw usageError(`several keys begin with ${given}`, `give one of: ${open.map(({ id }) => id).join(', ')}`)
  const list = 'see the ids with: pullquote keys list'
  if (given.length < MIN_ID_LENGTH) {
    throw usageError(`"${given}" is too short: give at least four characters of the key's id`, list)
  }
  const [revoked] = alike
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
