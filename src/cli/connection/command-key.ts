import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import type { Operator } from '../../client/operator.ts'
import { FileExists, writePrivateFile } from '../../client/private-file.ts'
import { NAME_LENGTH } from '../../contract/limits.ts'
import type { Project } from '../../contract/project.ts'
import type { Environment } from '../../contract/review.ts'

/** What a key is for: one project and environment of one installation. */
export interface CommandKeyScope {
  home: string
  /** Address of a server elsewhere; undefined for the installation of `home`, whether it is served or not. */
  url: string | undefined
  project: Project
  env: Environment
}

/** A key that the operator's commands share, and how a command gives it back. */
export interface CommandKey {
  key: string
  /** Replaces a stored key that the server no longer accepts. */
  renew?: () => Promise<string>
  release(): Promise<unknown>
}

/** A key is valid for longer than it is reused, so that a command that has just taken it can run for hours. */
const LASTS_MS = 12 * 3_600_000
const REUSED_MS = 6 * 3_600_000

const stored = v.object({ id: v.string(), key: v.string(), until: v.pipe(v.string(), v.isoTimestamp()) })
type Stored = v.InferOutput<typeof stored>

/**
 * The secret key with which commands use the API in the operator's name. It is made once, kept in the home for its owner
 * alone, like the operator token in `server.json`, and reused for six hours; it ends by itself six hours later. Commands
 * that begin together agree on one. A key that was revoked meanwhile, or belongs to another database, is replaced at its
 * first use. Where the home cannot be written to, the key is made for one command and revoked at its end.
 */
export async function commandKey(operator: Operator, scope: CommandKeyScope): Promise<CommandKey> {
  const path = pathOf(scope)
  const known = await read(path)
  if (!known) return createOwnKey(operator, scope, path)
  const renew = async () => {
    await rm(path, { force: true })
    return (await createOwnKey(operator, scope, path)).key
  }
  return { key: known.key, renew, release: async () => {} }
}

async function createOwnKey(operator: Operator, { project, env }: CommandKeyScope, path: string): Promise<CommandKey> {
  const until = new Date(Date.now() + LASTS_MS).toISOString()
  const name = `commands on ${hostname()}`.slice(0, NAME_LENGTH)
  const fields = { project: project.name, kind: 'secret', env, name, expires_in_seconds: LASTS_MS / 1000 } as const
  const made = await operator.createKey(fields)
  // It ends by itself; failing to revoke it must not hide how the work went.
  const revoke = () => operator.revokeKey(made.id).catch(() => {})
  try {
    await store(path, { id: made.id, key: made.key, until })
    return { key: made.key, release: async () => {} }
  } catch (error) {
    const other = error instanceof FileExists ? await read(path) : undefined
    if (!other) return { key: made.key, release: revoke }
    await revoke()
    return { key: other.key, release: async () => {} }
  }
}

async function store(path: string, key: Stored): Promise<void> {
  const folder = join(path, '..')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // Keys of projects that are gone would lie there for ever. One that can be read is in use.
  for (const name of await readdir(folder)) if (!(await read(join(folder, name)))) await rm(join(folder, name))
  await writePrivateFile(path, `${JSON.stringify(key)}\n`)
}

/** @returns undefined when there is none, it is too old, or others on this machine can read it */
async function read(path: string): Promise<Stored | undefined> {
  const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch(() => undefined)
  if (!handle) return undefined
  try {
    const stats = await handle.stat()
    const exposed = process.platform !== 'win32' && (stats.mode & 0o077) !== 0
    if (!stats.isFile() || exposed) return undefined
    const checked = v.safeParse(v.pipe(v.string(), v.parseJson(), stored), await handle.readFile('utf8'))
    if (!checked.success) return undefined
    return Date.parse(checked.output.until) - Date.now() > LASTS_MS - REUSED_MS ? checked.output : undefined
  } finally {
    await handle.close()
  }
}

function pathOf({ home, url, project, env }: CommandKeyScope): string {
  const place = createHash('sha256')
    .update(JSON.stringify([url ?? null, project.id, env]))
    .digest('hex')
  return join(home, 'command-keys', `${place.slice(0, 32)}.json`)
}
