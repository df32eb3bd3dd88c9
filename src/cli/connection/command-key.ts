import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { lchown, open, readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import * as v from 'valibot'
import type { Operator } from '../../client/operator.ts'
import { FileExists, writePrivateFile } from '../../client/private-file.ts'
import { NAME_LENGTH } from '../../contract/limits.ts'
import type { Project } from '../../contract/project.ts'
import type { Environment } from '../../contract/review.ts'
import { makeFolder } from '../../make-folder.ts'

/** The scope of a key: one project and environment of one installation. */
export interface CommandKeyScope {
  home: string
  /** Address of a remote server; undefined for the installation in `home`, whether it is being served or not. */
  url: string | undefined
  project: Project
  env: Environment
}

/** A key shared by the operator's commands. */
export interface CommandKey {
  key: string
  /** Replaces a stored key that the server no longer accepts. */
  renew?: () => Promise<string>
  /** Call it when the command is done. */
  release(): Promise<unknown>
}

/** Valid for longer than it is reused, so that a command that has just picked it up can run for hours. */
const VALID_MS = 12 * 3_600_000
const REUSE_MS = 6 * 3_600_000
const OF_A_KEY = /^[0-9a-f]{32}\.json$/

const stored = v.object({ id: v.string(), key: v.string(), until: v.pipe(v.string(), v.isoTimestamp()) })
type Stored = v.InferOutput<typeof stored>

/**
 * The secret key with which commands use the API on the operator's behalf. It is created once, stored in the home
 * readable by its owner only, like the operator token in `server.json`, reused for six hours, and expires six hours
 * later. Commands that start together agree on one. A key that has been revoked, or belongs to another database, is
 * replaced on first use. When the home is not writable, the key is created for one command and revoked when it ends.
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
  const until = new Date(Date.now() + VALID_MS).toISOString()
  const name = `commands on ${hostname()}`.slice(0, NAME_LENGTH)
  const fields = { project: project.id, kind: 'secret', env, name, expires_in_seconds: VALID_MS / 1000 } as const
  const made = await operator.createKey(fields)
  // It expires anyway; a failure to revoke it must not hide the command's own result.
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
  await makeFolder(folder, 0o700)
  // Keys of deleted projects would stay for ever. One that `read` still returns is in use. Other files are not ours: the home's
  // owner may have placed a link there that leads root anywhere.
  for (const name of await readdir(folder)) {
    if (OF_A_KEY.test(name) && !(await read(join(folder, name)))) await rm(join(folder, name))
  }
  await writePrivateFile(path, `${JSON.stringify(key)}\n`)
  if (process.getuid?.() === 0) await giveToOwnerOf(dirname(folder), folder, path)
}

/** Otherwise a command run by root would leave a key that the user of the home can neither read nor replace. */
async function giveToOwnerOf(home: string, ...paths: string[]): Promise<void> {
  const { uid, gid } = await stat(home)
  for (const path of paths) await lchown(path, uid, gid)
}

/** @returns undefined when there is none, it is too old, or other users of this machine can read it */
async function read(path: string): Promise<Stored | undefined> {
  const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch(() => undefined)
  if (!handle) return undefined
  try {
    const stats = await handle.stat()
    const exposed = process.platform !== 'win32' && (stats.mode & 0o077) !== 0
    if (!stats.isFile() || exposed) return undefined
    const checked = v.safeParse(v.pipe(v.string(), v.parseJson(), stored), await handle.readFile('utf8'))
    if (!checked.success) return undefined
    return Date.parse(checked.output.until) - Date.now() > VALID_MS - REUSE_MS ? checked.output : undefined
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
