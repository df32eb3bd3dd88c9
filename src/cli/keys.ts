import type { Operator } from '../client/operator.ts'
import type { ListedKey } from '../contract/key.ts'
import { CliError, usageError } from './errors/failure.ts'
import { ago, formatDuration, matchingIds, SHORTEST_ID, shortId } from './output/format.ts'
import { type Column, table } from './output/table.ts'
import type { Terminal } from './output/terminal.ts'
import { oneLine } from './output/text.ts'

/**
 * The key of that id, or whose id begins so. One that is revoked is not found: nothing is left to do with it.
 *
 * @throws {CliError} `not_found`, or usage where several begin so
 */
export async function findKey(operator: Pick<Operator, 'keys'>, given: string): Promise<ListedKey> {
  const alike = matchingIds(await operator.keys(), given)
  const open = alike.filter((key) => key.revoked_at === null)
  const [found, ...others] = open
  if (found && others.length === 0) return found
  if (found) throw usageError(`several keys begin with ${given}`, `name one of: ${open.map(({ id }) => id).join(', ')}`)
  const list = 'see the ids with: pullquote keys list'
  if (given.length < SHORTEST_ID) {
    throw usageError(`"${given}" is too short: give four letters of the key's id at least`, list)
  }
  const [revoked] = alike
  throw new CliError(revoked ? `the key ${describeKey(revoked)} is revoked already` : `there is no key ${given}`, {
    code: 'not_found',
    hints: [list, 'make a new key with: pullquote keys create'],
  })
}

export function keyTable(keys: readonly ListedKey[], now: Date, terminal: Terminal): string {
  const project: Column<ListedKey> = { heading: 'PROJECT', value: (key) => oneLine(key.project), flexible: true }
  const key: Column<ListedKey> = {
    heading: 'KEY',
    value: maskedKey,
  }
  const name: Column<ListedKey> = { heading: 'NAME', value: (one) => oneLine(one.name ?? '') || '-', flexible: true }
  if (!terminal.interactive) {
    const rest: Column<ListedKey>[] = [
      { heading: 'MADE', value: ({ created_at }) => created_at },
      { heading: 'STATE', value: (one) => keyState(one, now) },
      name,
      { heading: 'LAST USED', value: ({ last_used_at }) => last_used_at ?? 'never' },
      { heading: 'ENDS', value: ({ expires_at }) => expires_at ?? 'never' },
    ]
    return table(keys, [{ heading: 'ID', value: ({ id }) => id }, project, key, ...rest], terminal)
  }
  const since = (at: string) => ago(new Date(at), now)
  const columns: Column<ListedKey>[] = [
    { heading: 'ID', value: ({ id }) => shortId(id) },
    project,
    key,
    { heading: 'MADE', value: ({ created_at }) => since(created_at), flexible: true },
    name,
    { heading: 'LAST USED', value: ({ last_used_at }) => (last_used_at === null ? 'never' : since(last_used_at)) },
    { heading: 'ENDS', value: (one) => endOf(one, now) },
  ]
  return table(keys, columns, terminal)
}

function endOf(key: ListedKey, now: Date): string {
  const state = keyState(key, now)
  if (state !== 'active') return state
  return key.expires_at === null ? 'never' : `in ${formatDuration((Date.parse(key.expires_at) - now.getTime()) / 1000)}`
}

export function keyState(key: ListedKey, now: Date): 'active' | 'revoked' | 'expired' {
  if (key.revoked_at !== null) return 'revoked'
  return key.expires_at !== null && new Date(key.expires_at) <= now ? 'expired' : 'active'
}

/** `sk_live_…a1b2`. */
export function maskedKey({ kind, env, hint }: Pick<ListedKey, 'kind' | 'env' | 'hint'>): string {
  return `${kind === 'secret' ? 'sk' : 'pk'}_${env}_…${hint}`
}

/** `sk_live_…a1b2 of hotel`. */
export function describeKey(key: ListedKey): string {
  return `${maskedKey(key)} of ${oneLine(key.project)}`
}
