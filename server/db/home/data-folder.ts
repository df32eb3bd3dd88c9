import { lchown, lstat, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ignoreCodes } from '../../../src/contract/code-of.ts'
import type { Log } from '../../deps.ts'
import { type DatabaseOptions, initializeDatabase } from '../embedded/thread.ts'
import { unpackEmptyDatabase } from './empty-database.ts'
import { flushFolder, flushNameOf } from './flush-folder.ts'
import { HomeUnusable } from './folder-errors.ts'

/** Files that every PostgreSQL database has and that are never empty; 5 is the id of the database `postgres`. */
const FILES = [
  'PG_VERSION',
  'global/pg_control',
  'global/pg_filenode.map',
  'base/5/PG_VERSION',
  'base/5/pg_filenode.map',
]
/** Folders with at least one file: the rows, the write-ahead log and the commit status of transactions. */
const FOLDERS = ['base/5', 'pg_wal', 'pg_xact']

const unlessMissing = ignoreCodes('ENOENT', 'ENOTDIR')

/** A file next to the folder: there was a complete database once, so a missing folder is no first start. */
const markerOf = (dataDir: string) => `${dataDir}.made`

/**
 * Ensures that `dataDir` holds a complete database, and creates one only where there never was any. PGlite itself treats a
 * folder without `PG_VERSION` as new and would create an empty database over the remaining files.
 *
 * A database is created next to its place and renamed when it is complete: one left half-made by a crash or a full disk is
 * never opened, and whatever is in the place itself was complete once.
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
  if (made) throw damaged(dataDir, 'the folder is missing')
  const draft = `${dataDir}.new`
  await rm(draft, { recursive: true, force: true })
  log.info({ folder: dataDir }, 'creating the embedded database')
  try {
    if (!(await unpackEmptyDatabase(draft, log))) {
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
 * Gives files that root wrote into another user's database, or a database that root made in another user's home, to that user,
 * who could otherwise not read them or start the server. Some file systems assign all files to one user anyway.
 */
export async function giveToOwner(dataDir: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const own = await stat(dataDir)
  const { uid, gid } = own.uid === 0 ? await stat(dirname(dataDir)) : own
  if (uid === 0) return
  const names = await readdir(dataDir, { recursive: true })
  for (const path of [...names.map((name) => join(dataDir, name)), dataDir, markerOf(dataDir)]) {
    const found = await lstat(path)
    // A link, which that user may have placed, leads outside the database.
    const isOwn = found.isDirectory() || (found.isFile() && found.nlink === 1)
    if (isOwn && found.uid !== uid) await lchown(path, uid, gid)
  }
}

/** For a database that looks complete but does not start: what can be done about it. */
export async function explainFailedStart(dataDir: string, error: Error): Promise<HomeUnusable> {
  const { uid } = await stat(dataDir)
  const names = await readdir(dataDir, { recursive: true }).catch(() => [])
  for (const name of names) {
    if ((await stat(join(dataDir, name)).catch(() => undefined))?.uid === uid) continue
    const message = `The database in ${dataDir} does not start: ${name} in it belongs to another user, which happens when a command run by root is killed. Give everything back to the owner (chown -R ${uid} ${dataDir}), then start again.`
    return new HomeUnusable('database_of_another_user', message, { cause: error })
  }
  const message = `The database in ${dataDir} does not start (${error.message}). Start again; if that does not help, its files may be damaged: ${wayToBackup(dataDir)}`
  return new HomeUnusable('database_damaged', message, { cause: error })
}

function damaged(dataDir: string, what: string): HomeUnusable {
  const message = `The database in ${dataDir} is incomplete: ${what}. Nothing was changed. If its disk is not mounted, mount it. Otherwise ${wayToBackup(dataDir)}`
  return new HomeUnusable('database_damaged', message)
}

function wayToBackup(dataDir: string): string {
  return `move ${dataDir} and ${markerOf(dataDir)} to another place, keep them, and restore a backup: pullquote restore FILE. Without a backup, the next start then creates an empty database.`
}

/** What a complete database has and this one lacks, in words. */
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

/** Whether a file begins with zeros where a number belongs, as some disks leave it after a power cut. */
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
