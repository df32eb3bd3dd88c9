import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../../../src/contract/code-of.ts'
import type { Log } from '../../deps.ts'
import { openFilesLimit, readProcessLimits } from '../../process-limits.ts'
import { startAutovacuum } from '../autovacuum.ts'
import { connect } from '../connect.ts'
import { explainFailedStart, giveToOwner, prepareDataFolder } from '../home/data-folder.ts'
import { checkFileLimit, explainFolderError, HomeUnusable } from '../home/folder-errors.ts'
import { acquireHome } from '../home/home-lock.ts'
import { inBackground } from '../turns.ts'
import { createCopier } from './copy-database.ts'
import { type DatabaseOptions, startDatabaseThread } from './thread.ts'

export type Embedded = Awaited<ReturnType<typeof openEmbedded>>

export interface EmbeddedOptions extends Partial<Pick<DatabaseOptions, 'shortLived'>> {
  /** Work for this thread while the database starts in its own. Its errors are for whoever waits for that work. */
  whileOpening?: () => Promise<unknown>
}

/** sun_path holds 108 bytes on Linux and 104 on macOS, including the terminating zero. */
const LONGEST_SOCKET_PATH = 103
/** What mkdtemp appends to its prefix. */
const MKDTEMP_CHARACTERS = 6
const SOCKET = 'db.sock'
/** Errors of file systems without sockets. */
const WITHOUT_SOCKETS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])
/** As long as the name above, for which there is room. */
const COPY_SOCKET = 'cp.sock'
const COPY = 'data.copy'
/** Time for the last vacuum. A server stops within ten seconds; a command that imported leaves statistics behind. */
const SERVER_VACUUM_MS = 500
const COMMAND_VACUUM_MS = 60_000
/** Time for running statements when the database is closed. */
const END_TIMEOUT_S = 0.5

/**
 * Opens the embedded database in `home`, creating it on first use.
 * @throws {HomeInUse} another process holds the folder
 * @throws {HomeUnusable} the folder is not writable, the disk is full, or the database is damaged
 */
export async function openEmbedded(home: string, log: Log, options: EmbeddedOptions = {}) {
  checkFileLimit(openFilesLimit(readProcessLimits()), home)
  const lock = await acquireHome(home)
  try {
    const dataDir = join(home, 'data')
    const database = { dataDir, shortLived: options.shortLived ?? false, flushed: true }
    const copyFolder = join(home, COPY)
    // Left by a process that was killed during a backup.
    await rm(copyFolder, { recursive: true, force: true })
    await prepareDataFolder(database, log)
    // Reviews are personal data, and the parent folder may be readable by others.
    await chmod(dataDir, 0o700)
    const socket = await chooseSocket(home)
    const starting = startDatabaseThread(database, socket.path, log)
    options.whileOpening?.().catch(() => {})
    const thread = await starting.catch(async (error: Error) => {
      await socket.remove()
      const explained = explainFolderError(error, home)
      throw explained === error ? await explainFailedStart(dataDir, error) : explained
    })
    const sql = connect({
      path: socket.path,
      max: 1,
      keep: true,
      onNotice: (notice) => log.debug({ notice }, 'notice'),
    })
    const autovacuum = startAutovacuum(inBackground(sql), log)
    const copier = createCopier({ sql, dataDir, folder: copyFolder, socketPath: socket.copyPath, log })
    let closed: Promise<void> | undefined
    /** Ends the connection, closes the database and releases the folder. */
    const close = () => {
      closed ??= (async () => {
        autovacuum.stop()
        await copier.close()
        await Promise.race([
          autovacuum.run().catch(() => {}),
          // Unreferenced, or the process would stay for the rest of that minute.
          sleep(database.shortLived ? COMMAND_VACUUM_MS : SERVER_VACUUM_MS, undefined, { ref: false }),
        ])
        await sql.end({ timeout: END_TIMEOUT_S })
        await thread.close()
        await giveToOwner(dataDir).catch((error: unknown) =>
          log.warn({ error: String(error) }, 'could not give files to their owner'),
        )
        await socket.remove()
        await lock.release()
      })()
      return closed
    }
    lock.lost.then(() => {
      log.error({ home }, 'the folder of the database was deleted or taken over by another process; closing it')
      return close()
    })
    return { sql, lock, thread, autovacuum, copy: copier.copy, close }
  } catch (error) {
    await lock.release()
    throw explainFolderError(error, home)
  }
}

/** Where the thread listens: in a folder that only this user can enter, on a path short enough for the system. */
async function chooseSocket(home: string): Promise<{ path: string; copyPath: string; remove(): Promise<void> }> {
  if (process.platform === 'win32') {
    const path = `\\\\.\\pipe\\pullquote-${crypto.randomUUID()}`
    return { path, copyPath: `${path}-copy`, remove: async () => {} }
  }
  const folder = (await socketFolderIn(home)) ?? (await temporarySocketFolder())
  return {
    path: join(folder, SOCKET),
    copyPath: join(folder, COPY_SOCKET),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/**
 * @returns undefined when the path is too long or the file system has no sockets: FAT, Windows disks in WSL, shared folders
 * of a VM
 */
async function socketFolderIn(home: string): Promise<string | undefined> {
  const folder = join(home, 'run')
  const path = join(folder, SOCKET)
  if (Buffer.byteLength(path) > LONGEST_SOCKET_PATH) return undefined
  // Left by a process that was killed; the lock guarantees that nobody uses it.
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { mode: 0o700 })
  const server = createServer()
  try {
    await once(server.listen(path), 'listening')
    return folder
  } catch (error) {
    if (!WITHOUT_SOCKETS.has(codeOf(error) ?? '')) throw error
    await rm(folder, { recursive: true, force: true })
    return undefined
  } finally {
    server.close()
  }
}

async function temporarySocketFolder(): Promise<string> {
  const prefix = join(tmpdir(), 'pullquote-')
  const length = Buffer.byteLength(join(prefix, SOCKET)) + MKDTEMP_CHARACTERS
  return mkdtemp(length <= LONGEST_SOCKET_PATH ? prefix : '/tmp/pullquote-').catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : 'unknown'
    const message = `The embedded database needs a folder for a socket, and none can be made: ${reason}. The path of PULLQUOTE_HOME is too long for one, or its disk has none. Start with TMPDIR set to a folder that this user may write, or with a shorter PULLQUOTE_HOME.`
    throw new HomeUnusable('no_temporary_folder', message, { cause: error })
  })
}
