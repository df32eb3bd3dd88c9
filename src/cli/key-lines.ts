import type { ListedKey, Operator } from '../client/operator.ts'
import { ago } from './dates.ts'
import { CliError, duration, usageError } from './failure.ts'
import { oneLine } from './printable.ts'
import { type Column, table } from './table.ts'
import type { Terminal } from './terminal.ts'

/** So many characters of an id are shown on a terminal; they tell keys apart, and commands take them. */
const SHORT = 8

export function keyTable(keys: readonly ListedKey[], now: Date, terminal: Terminal): string {
  const project: Column<ListedKey> = { heading: 'PROJECT', value: (key) => oneLine(key.project), flexible: true }
  const key: Column<ListedKey> = {
    heading: 'KEY',
    value: ({ kind, env, hint }) => `${kind === 'secret' ? 'sk' : 'pk'}_${env}_…${hint}`,
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
    { heading: 'ID', value: ({ id }) => id.slice(0, SHORT) },
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
  return key.expires_at === null ? 'never' : `in ${duration((Date.parse(key.expires_at) - now.getTime()) / 1000)}`
}

export function keyState(key: ListedKey, now: Date): 'active' | 'revoked' | 'expired' {
  if (key.revoked_at !== null) return 'revoked'
  return key.expires_at !== null && new Date(key.expires_at) <= now ? 'expired' : 'active'
}

/** The key of that id, or of the only id that begins so. */
export async function findKey(operator: Operator, id: string): Promise<ListedKey> {
  const keys = await operator.keys()
  const found = keys.filter((key) => key.id === id || (id.length >= SHORT && key.id.startsWith(id.toLowerCase())))
  const [key, ...others] = found
  if (!key) {
    throw new CliError(`there is no key with the id ${id}`, {
      code: 'not_found',
      hints: ['see the ids with: pullquote keys list', 'make a new key with: pullquote keys create'],
    })
  }
  if (others.length > 0) {
    throw usageError(`several keys begin with ${id}`, `name one of: ${found.map((one) => one.id).join(', ')}`)
  }
  return key
}
