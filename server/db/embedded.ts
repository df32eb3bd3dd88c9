import { chmod, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Log, Pool } from '../deps.ts'
import { connect } from './connect.ts'
import {
  type DatabaseOptions,
  type DatabaseThread,
  initializeDatabase,
  startDatabaseThread,
} from './embedded-thread.ts'
import { acquireHome, explainFolderError, type HomeLock } from './home-lock.ts'
import { startUpkeep, type Upkeep } from './upkeep.ts'

export interface Embedded {
  sql: Pool
  lock: HomeLock
  thread: DatabaseThread
  upkeep: Upkeep
  /** Ends the connection, closes the database and gives the folder back. */
  close(): Promise<void>
}

export type EmbeddedOptions = Partial<Pick<DatabaseOptions, 'frugal'>>

/** sun_path holds 108 bytes on Linux and 104 on macOS, the closing zero included. */
const LONGEST_SOCKET_PATH = 103
/** What mkdtemp adds to its prefix. */
const MKDTEMP_CHARACTERS = 6
const SOCKET = 'db.sock'

/**
 * Opens the embedded database in `home`, making it at first use.
 *
 * @throws {HomeInUse} another process holds the folder
 * @throws {HomeUnusable} it cannot be written, or the disk is full
 */
export async function openEmbedded(home: string, log: Log, options: EmbeddedOptions = {}): Promise<Embedded> {
  const lock = await acquireHome(home)
  try {
    const dataDir = join(home, 'data')
    const database = { dataDir, frugal: options.frugal ?? false }
    await makeDatabase(database, log)
    // Reviews are personal data, and the folder around may be open to others.
    await chmod(dataDir, 0o700)
    const socket = await chooseSocket(home)
    const thread = await startDatabaseThread(database, socket.path, log)
    const sql = connect({
      path: socket.path,
      max: 1,
      keep: true,
      onNotice: (notice) => log.debug({ notice }, 'notice'),
    })
    const upkeep = startUpkeep(sql, log)
    let closed: Promise<void> | undefined
    const close = () => {
      closed ??= (async () => {
        upkeep.stop()
        await upkeep.run().catch(() => {})
        await sql.end({ timeout: 5 })
        await thread.close()
        await socket.remove()
        await lock.release()
      })()
      return closed
    }
    lock.lost.then(() => {
      log.error({ home }, 'the folder of the database was deleted or taken over by another process; closing it')
      return close()
    })
    return { sql, lock, thread, upkeep, close }
  } catch (error) {
    await lock.release()
    throw explainFolderError(error, home)
  }
}

/** Makes the database beside its place first: what a crash or a full disk left half made is never opened. */
async function makeDatabase({ dataDir, frugal }: DatabaseOptions, log: Log): Promise<void> {
  if (await stat(dataDir).catch(() => undefined)) return
  const draft = `${dataDir}.new`
  await rm(draft, { recursive: true, force: true })
  log.info({ folder: dataDir }, 'making the embedded database')
  try {
    await initializeDatabase({ dataDir: draft, frugal })
    await rename(draft, dataDir)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

/** Where the thread listens: in a folder that only this user may enter, on a path short enough for the system. */
async function chooseSocket(home: string): Promise<{ path: string; remove(): Promise<void> }> {
  if (process.platform === 'win32') {
    return { path: `\\\\.\\pipe\\pullquote-${crypto.randomUUID()}`, remove: async () => {} }
  }
  let folder = join(home, 'run')
  if (Buffer.byteLength(join(folder, SOCKET)) <= LONGEST_SOCKET_PATH) {
    // Left by a process that was killed; the lock says that nobody uses it.
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { mode: 0o700 })
  } else {
    const prefix = join(tmpdir(), 'pullquote-')
    const length = Buffer.byteLength(join(prefix, SOCKET)) + MKDTEMP_CHARACTERS
    folder = await mkdtemp(length <= LONGEST_SOCKET_PATH ? prefix : '/tmp/pullquote-')
  }
  return { path: join(folder, SOCKET), remove: () => rm(folder, { recursive: true, force: true }) }
}
