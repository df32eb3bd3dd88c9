import { lchown, lstat, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../../../src/contract/code-of.ts'
import type { Log } from '../../deps.ts'
import { type DatabaseOptions, initializeDatabase } from '../embedded/thread.ts'
import { layOutEmptyDatabase } from './empty-database.ts'
import { flushFolder, flushNameOf } from './flush-folder.ts'
import { HomeUnusable } from './home-lock.ts'

/** Files that every database of PostgreSQL has and that are never empty; 5 is the number of the database `postgres`. */
const FILES = [
  'PG_VERSION',
  'global/pg_control',
  'global/pg_filenode.map',
  'base/5/PG_VERSION',
  'base/5/pg_filenode.map',
]
/** Folders that hold a file each, at the least: the rows, the write-ahead log and which transactions were committed. */
const FOLDERS = ['base/5', 'pg_wal', 'pg_xact']

/** Beside the folder: says that there was a whole database once, so that a folder that is gone is no first start. */
const markerOf = (dataDir: string) => `${dataDir}.made`

/**
 * Sees to it that `dataDir` holds a whole database, and makes one only where there never was any. PGlite itself takes a
 * folder without `PG_VERSION` for a new one and would make an empty database over the files that are left.
 *
 * A database is made beside its place and renamed when it is whole: what a crash or a full disk left half made is never
 * opened, and whatever stands in the place itself was whole once.
 *
 * @throws {HomeUnusable} `database_damaged`
 */
export async function prepareDataFolder(
  { dataDir, shortLived }: Pick<DatabaseOptions, 'dataDir' | 'shortLived'>,
  log: Log,
): Promise<void> {
  const marker = markerOf(dataDir)
  const made = await exists(marker)
  if (await exists(dataDir)) {
    const missing = await whatIsMissing(dataDir)
    if (missing !== undefined) throw damaged(dataDir, missing)
    if (!made) await mark(marker)
    return
  }
  if (made) throw damaged(dataDir, 'the folder is gone')
  const draft = `${dataDir}.new`
  await rm(draft, { recursive: true, force: true })
  log.info({ folder: dataDir }, 'making the embedded database')
  try {
    if (!(await layOutEmptyDatabase(draft, log))) {
      await rm(draft, { recursive: true, force: true })
      await initializeDatabase({ dataDir: draft, shortLived }, log)
    }
    await flushFolder(draft)
    await rename(draft, dataDir)
    await flushNameOf(dataDir)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
  await mark(marker)
}

/**
 * Gives what root wrote into the database of another user to that user, who could not read it and not start any more. Some
 * file systems give all files to one user by themselves.
 */
export async function giveToOwner(dataDir: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(dataDir)
  if (uid === 0) return
  for (const name of await readdir(dataDir, { recursive: true })) {
    const path = join(dataDir, name)
    const found = await lstat(path)
    // A link, which that user may have laid, leads to what is no part of the database.
    const isOwn = found.isDirectory() || (found.isFile() && found.nlink === 1)
    if (isOwn && found.uid !== uid) await lchown(path, uid, gid)
  }
}

/** For a database that looks whole and does not start: what may be done about it. */
export async function doesNotStart(dataDir: string, error: Error): Promise<HomeUnusable> {
  const { uid } = await stat(dataDir)
  const names = await readdir(dataDir, { recursive: true }).catch(() => [])
  for (const name of names) {
    if ((await stat(join(dataDir, name)).catch(() => undefined))?.uid === uid) continue
    const message = `The database in ${dataDir} does not start: ${name} in it is not a file of its owner, as when root's command was killed. Give all of it to the owner (chown -R ${uid} ${dataDir}), then start again.`
    return new HomeUnusable('database_of_another_user', message, { cause: error })
  }
  const message = `The database in ${dataDir} does not start (${error.message}). Start again; if that does not help, its files may be damaged: ${wayToBackup(dataDir)}`
  return new HomeUnusable('database_damaged', message, { cause: error })
}

function damaged(dataDir: string, what: string): HomeUnusable {
  const message = `The database in ${dataDir} is not whole: ${what}. Nothing was changed. If its disk is not mounted, mount it. Otherwise ${wayToBackup(dataDir)}`
  return new HomeUnusable('database_damaged', message)
}

function wayToBackup(dataDir: string): string {
  return `move ${dataDir} and ${markerOf(dataDir)} to another place, keep them, and restore a backup: pullquote restore FILE. Without a backup, a start makes an empty database then.`
}

/** What a whole database has and this one has not, in words. */
async function whatIsMissing(dataDir: string): Promise<string | undefined> {
  if ((await readdir(dataDir)).length === 0) return 'the folder is empty'
  for (const file of FILES) {
    const found = await stat(join(dataDir, file)).catch(unlessMissing)
    if (found === undefined) return `the file ${file} is missing`
    if (!found.isFile() || found.size === 0) return `the file ${file} is empty`
  }
  for (const folder of FOLDERS) {
    const names = await readdir(join(dataDir, folder)).catch(unlessMissing)
    if (names === undefined) return `the folder ${folder} is missing`
    if (!names.some((name) => /^[0-9A-F]+$/.test(name))) return `the folder ${folder} is empty`
  }
  if (!/^\d+\s*$/.test(await readFile(join(dataDir, 'PG_VERSION'), 'latin1')))
    return 'the file PG_VERSION is overwritten'
  if (await isBlank(join(dataDir, 'global/pg_control'))) return 'the file global/pg_control is overwritten'
  return undefined
}

/** Whether a file begins with zeros where the number of the database stands: what some disks leave after a power cut. */
async function isBlank(path: string): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0, 8, 0)
    return bytesRead < 8 || buffer.every((byte) => byte === 0)
  } finally {
    await file.close()
  }
}

async function mark(marker: string): Promise<void> {
  const text = 'A database was made beside this file. It tells a lost folder from a first start: leave it here.\n'
  await writeFile(marker, text, { mode: 0o600 })
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(unlessMissing)) !== undefined
}

function unlessMissing(error: unknown): undefined {
  if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return undefined
  throw error
}
