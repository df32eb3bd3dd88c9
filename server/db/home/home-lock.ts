import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { link, open, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import { CodedError, codeOf } from '../../../src/contract/code-of.ts'
import { defined } from '../../../src/contract/defined.ts'
import { SERVER_FILE, type ServerFile, serverFile } from '../../../src/contract/server-file.ts'
import { makeFolder } from '../../../src/make-folder.ts'
import { explainFolderError } from './folder-errors.ts'
import { isAlive, thisProcess } from './process-identity.ts'

export interface HomeLock {
  /** Tells other processes of this user where the server listens. */
  publish(info: Required<Pick<ServerFile, 'url' | 'operatorToken'>> & Partial<ServerFile>): Promise<void>
  release(): Promise<void>
  /** Resolves if the lock is lost: the folder was deleted, or this process slept so long that another took it over. */
  readonly lost: Promise<void>
}

/** The holder of a folder: a server that listens at `url`, or a command. */
export type HomeHolder = Pick<ServerFile, 'pid' | 'url' | 'operatorToken' | 'folder'>

/** Another living process holds the folder. */
export class HomeInUse extends CodedError<'home_in_use'> {
  readonly holder: HomeHolder
  constructor(home: string, holder: HomeHolder) {
    const { pid, url, folder } = holder
    const soon = ', a command or a server that is starting: try again in a moment'
    const where = url === undefined ? soon : `, answering at ${url}`
    const isCopy = folder !== undefined && folder !== String(statSync(home, { bigint: true }).ino)
    super(
      'home_in_use',
      isCopy
        ? `The folder ${home} is a copy of the one that process ${pid} uses${where}. Delete ${SERVER_FILE} in the copy if that process was stopped before it was copied; otherwise restore a backup into a new folder.`
        : `The folder ${home} is in use by process ${pid}${where}. Stop that process, or choose another folder with PULLQUOTE_HOME.`,
    )
    this.holder = holder
  }
}

const HEARTBEAT_MS = 2_000
/** A holder that cannot be looked up as a process counts as dead after this long without a heartbeat. */
const SILENCE_MS = 10_000

/**
 * Locks the folder for this process. The lock of a dead process is taken over by exactly one contender.
 * A holder on this machine is identified by its process id and start time, one that cannot be seen from here (another
 * container on the same volume) by its heartbeat, the file's modification time.
 * @throws {HomeInUse} a living process holds it
 * @throws {HomeUnusable} it cannot be written
 */
export async function acquireHome(home: string, timing = { heartbeatMs: HEARTBEAT_MS, silenceMs: SILENCE_MS }) {
  const path = join(home, SERVER_FILE)
  const mine: ServerFile = { nonce: randomUUID(), ...(await thisProcess()) }
  const draft = join(home, `.${SERVER_FILE}.${mine.nonce}`)
  try {
    await makeFolder(home, 0o700)
    await writeFile(draft, JSON.stringify(mine), { mode: 0o600, flag: 'wx' })
    await claim(path, draft, mine, home, timing.silenceMs)
  } catch (error) {
    throw explainFolderError(error, home)
  } finally {
    await rm(draft, { force: true }).catch(() => {})
  }
  return hold(path, mine, timing.heartbeatMs)
}

/** The living holder of the folder, or undefined. */
export async function readHomeHolder(home: string): Promise<HomeHolder | undefined> {
  const path = join(home, SERVER_FILE)
  const found = await read(path)
  if (found === undefined) return undefined
  const alive = found.content === undefined ? undefined : await isAlive(found.content)
  if (alive === false) return undefined
  if (alive === undefined && Date.now() - found.touched > SILENCE_MS) return undefined
  return describe(found.content)
}

/**
 * `link` and `wx` only create a file where there is none, so one of many wins an empty folder. A stale lock may only be
 * replaced by the process that created the claim with the lock's nonce. The claim is checked against the lock again after it
 * was made, because a slow process may have read a lock that others have since replaced, and removed its claim.
 */
async function claim(path: string, draft: string, mine: ServerFile, home: string, silenceMs: number): Promise<void> {
  for (;;) {
    if (await createFrom(draft, path)) return
    const stale = await waitForDeath(path, home, silenceMs)
    if (stale === undefined) continue
    let claim = `${path}.${stale}`
    const claims = [claim]
    while (!(await createFrom(draft, claim))) {
      // Somebody is ahead of us. If that process died, its claim is stale in turn, and the next claim carries its nonce.
      const next = await waitForDeath(claim, home, silenceMs)
      if (next === undefined) break
      claim = `${path}.${next}`
      claims.push(claim)
    }
    if ((await read(claim))?.nonce !== mine.nonce) continue
    const unchanged = (await read(path))?.nonce === stale
    if (unchanged) await rename(draft, path)
    for (const done of claims) await rm(done, { force: true })
    if (unchanged) return
  }
}

/** @returns the nonce of a dead holder, undefined when the file is gone */
async function waitForDeath(path: string, home: string, silenceMs: number): Promise<string | undefined> {
  const found = await read(path)
  if (found === undefined) return undefined
  const alive = found.content === undefined ? undefined : await isAlive(found.content)
  if (alive === false) return found.nonce
  if (alive === true) throw new HomeInUse(home, describe(found.content))
  // Clocks of two machines may differ, so the heartbeat is observed rather than compared with ours.
  for (let waited = 0; waited < silenceMs; waited += 250) {
    await sleep(250)
    const now = await read(path)
    if (now === undefined) return undefined
    if (now.touched !== found.touched || now.nonce !== found.nonce) throw new HomeInUse(home, describe(now.content))
  }
  return found.nonce
}

async function hold(path: string, mine: ServerFile, heartbeatMs: number): Promise<HomeLock> {
  let lose = () => {}
  const lost = new Promise<void>((resolve) => {
    lose = resolve
  })
  let released = false
  const beat = setInterval(async () => {
    const found = await read(path).catch(() => 'unreadable' as const)
    if (released || found === 'unreadable') return
    if (found?.nonce !== mine.nonce) return lose()
    const now = new Date()
    await utimes(path, now, now).catch(() => {})
  }, heartbeatMs).unref()
  return {
    lost,
    async publish(info) {
      Object.assign(mine, info)
      const next = `${path}.next-${mine.nonce}`
      await writeFile(next, JSON.stringify(mine), { mode: 0o600 })
      await rename(next, path)
    },
    async release() {
      if (released) return
      released = true
      clearInterval(beat)
      if ((await read(path))?.nonce === mine.nonce) await rm(path, { force: true })
    },
  }
}

/** Creates `path` with the draft's content if it does not exist. @returns whether it did */
async function createFrom(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(codeOf(error) ?? '')) throw error
  }
  // For a file system without hard links.
  try {
    const file = await open(path, 'wx', 0o600)
    await file.writeFile(await readFile(draft))
    await file.close()
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

interface Found {
  /** Undefined for a file that is not a valid lock: cut off by a crash or a full disk. */
  content: ServerFile | undefined
  nonce: string
  /** Modification time in ms. */
  touched: number
}

async function read(path: string): Promise<Found | undefined> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)])
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), serverFile), text)
    const content = parsed.success ? parsed.output : undefined
    return { content, nonce: content?.nonce ?? 'unreadable', touched: mtimeMs }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function describe(content: ServerFile | undefined): HomeHolder {
  const { pid = 0, url, operatorToken, folder } = content ?? {}
  return defined({ pid, url, operatorToken, folder })
}
