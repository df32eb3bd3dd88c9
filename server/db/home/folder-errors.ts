import { lstatSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { CodedError, codeOf } from '../../../src/contract/code-of.ts'

/** The folder cannot be used; the message says what to do. */
export class HomeUnusable extends CodedError<
  | 'home_not_writable'
  | 'disk_full'
  | 'home_not_a_folder'
  | 'database_damaged'
  | 'database_of_another_user'
  | 'too_many_files'
  | 'too_many_threads'
  | 'no_temporary_folder'
> {}

/** The same error, or one that tells the user what is wrong with the folder. */
export function explainFolderError(error: unknown, home: string): unknown {
  const code = codeOf(error)
  const options = { cause: error }
  if (code === 'EROFS') {
    const message = `The folder ${home} is on a read-only disk. Mount it for writing, or choose another folder with PULLQUOTE_HOME.`
    return new HomeUnusable('home_not_writable', message, options)
  }
  if (code === 'ENOENT' && lstatSync(home, { throwIfNoEntry: false })?.isSymbolicLink()) {
    const message = `${home} is a link to ${readlinkSync(home)}, which does not exist. Mount that disk, create the folder, or choose another one with PULLQUOTE_HOME.`
    return new HomeUnusable('home_not_a_folder', message, options)
  }
  // ENOENT: in a folder that takes no others, such as /proc.
  if (code !== undefined && ['EACCES', 'EPERM', 'ENOENT'].includes(code)) {
    // The home may be this user's, but not the database in it, as one that an earlier version restored for root.
    const data = join(home, 'data')
    const isData = error instanceof Error && 'path' in error && String(error.path).startsWith(data)
    const message = `This user cannot write to the folder ${isData ? data : home}. Change its owner, or choose another folder with PULLQUOTE_HOME.`
    return new HomeUnusable('home_not_writable', message, options)
  }
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG') {
    const message = `There is no room left on the disk that holds ${home}. Free some space (an empty database takes about 60 MB, a restored one about twelve times the size of its backup), or choose another folder with PULLQUOTE_HOME.`
    return new HomeUnusable('disk_full', message, options)
  }
  if (code === 'EMFILE' || code === 'ENFILE') return tooFewFiles(home, code, options)
  if (code === 'ERR_WORKER_INIT_FAILED') {
    const message = `The embedded database in ${home} needs a thread, and the system allows this user or container no more. Nothing is damaged: raise the limit of processes and threads (ulimit -u, TasksMax= of a systemd unit, pids of a container), then start again.`
    return new HomeUnusable('too_many_threads', message, options)
  }
  if (code === 'ENOTDIR' || code === 'EEXIST') {
    const message = `${home} is not a folder. Choose another one with PULLQUOTE_HOME.`
    return new HomeUnusable('home_not_a_folder', message, options)
  }
  return error
}

/** With fewer, creating or opening a database fails at some later point, with an error that does not mention files. */
const FEWEST_FILES = 256

/** @param limit files that this process may have open, if known @throws {HomeUnusable} */
export function checkFileLimit(limit: number | undefined, home: string): void {
  if (limit !== undefined && limit < FEWEST_FILES) throw tooFewFiles(home, String(limit))
}

function tooFewFiles(home: string, why: string, options?: ErrorOptions): HomeUnusable {
  const message = `The embedded database in ${home} needs more open files than this process is allowed (${why}). Nothing is damaged: raise the limit to 1024 or more (ulimit -n, LimitNOFILE= of a systemd unit), then start again.`
  return new HomeUnusable('too_many_files', message, options)
}
