import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import type { BackupSummary } from '../../../src/contract/backup.ts'
import { codeOf } from '../../../src/contract/code-of.ts'
import type { AppDeps } from '../../app-deps.ts'
import { writeBackup } from '../../db/backup/write.ts'
import { NoRoomForCopy } from '../../db/embedded/copy-database.ts'
import { ApiError } from '../../http/api-error.ts'
import { text } from '../../http/response-rule.ts'
import { defineRoute, type Route } from '../../http/route.ts'

/**
 * `GET /operator/backup`: a backup of everything. It is written to a temporary file first, so that a failure is an error
 * response rather than half a file, and a slow reader does not hold a transaction open.
 */
export function operatorBackupRoute(deps: AppDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/operator/backup',
    access: 'operator',
    time: 'own',
    responses: {
      200: text('application/gzip', 'The file.', {
        isBinary: true,
        headers: { 'x-backup': { schema: { type: 'string' } } },
      }),
    },
    operationId: 'downloadBackup',
    summary: 'A backup of everything, as one moment shows it',
    description: 'JSON lines, compressed with gzip; `pullquote restore` reads it. `x-backup` tells what is in it.',
    async handle() {
      const { handle, discard } = await openTemporaryFile()
      try {
        const written = await write(deps, handle)
        const { size } = await handle.stat()
        const stream = handle.createReadStream({ start: 0 })
        stream.on('close', discard)
        return {
          status: 200,
          body: Readable.toWeb(stream),
          headers: {
            'content-type': 'application/gzip',
            'content-length': String(size),
            'x-backup': JSON.stringify(written),
          },
        }
      } catch (error) {
        discard()
        throw error
      }
    },
  })
}

/**
 * A file that is unlinked before anything is in it, since it will hold personal data: a process that is killed leaves
 * nothing behind. Where an open file cannot be removed, `discard` removes it.
 */
async function openTemporaryFile(): Promise<{ handle: FileHandle; discard(): void }> {
  let folder: string | undefined
  const remove = async () => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true }).catch(() => {})
  }
  try {
    folder = await mkdtemp(join(tmpdir(), 'pullquote-backup-'))
    const handle = await open(join(folder, 'backup.jsonl.gz'), 'wx+', 0o600)
    await remove()
    // Not awaited by anyone: the disk may have fallen silent.
    const discard = () =>
      void handle
        .close()
        .catch(() => {})
        .then(remove)
    return { handle, discard }
  } catch (error) {
    await remove()
    throw explainTemporaryFolder(error)
  }
}

/** Not `createWriteStream`, which keeps a file that it is not to close from ever being closed. */
function writingTo(file: FileHandle): Writable {
  return new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      file.writeFile(chunk).then(() => done(), done)
    },
  })
}

async function write({ sql, log, copyDatabase }: AppDeps, file: FileHandle): Promise<BackupSummary> {
  const copy = await copyDatabase?.().catch((error: unknown) => {
    if (!(error instanceof NoRoomForCopy)) throw error
    log.warn({ reason: error.message }, 'a backup is written without a copy of the database: requests wait for its end')
    return undefined
  })
  try {
    return await writeBackup(copy?.sql ?? sql, writingTo(file))
  } catch (error) {
    throw explainTemporaryFolder(error)
  } finally {
    await copy?.close()
  }
}

/** What is wrong with the folder for temporary files, by error code. */
const FOLDER_FAULTS: Record<string, string> = {
  ENOSPC: 'has no room for the backup',
  EDQUOT: 'has no room for the backup',
  EFBIG: 'takes no file as large as the backup',
  EROFS: 'can only be read',
  EACCES: 'cannot be written',
  EPERM: 'cannot be written',
  ENOENT: 'is not there',
  ENOTDIR: 'is no folder',
}

/** The same error, or one that tells the operator what to do. */
function explainTemporaryFolder(error: unknown): unknown {
  const fault = FOLDER_FAULTS[codeOf(error) ?? '']
  if (fault === undefined) return error
  // Not service_unavailable, which would make clients retry.
  return new ApiError(
    'internal',
    `The server's folder for temporary files, ${tmpdir()}, ${fault}. Nothing was written: make room there, or start the server with TMPDIR set to another folder.`,
  )
}
