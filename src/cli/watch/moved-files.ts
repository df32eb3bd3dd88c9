import { readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import * as v from 'valibot'
import { codeOf } from '../../contract/code-of.ts'
import { DAY_MS } from '../../contract/timestamp.ts'
import { availablePath } from '../output/output-file.ts'
import { DONE_FOLDERS } from './layout.ts'
import { readRegularFile, takeSnapshot } from './snapshot.ts'

/** A file that was imported and moved. */
export interface MovedFile {
  target: string
  /** Its path in the watched folder. */
  origin: string
  /** The version that was imported, from `takeSnapshot`. */
  version: string
}

export interface MovedFiles {
  /** A file that has just been moved. Resolves when it was looked at, and is put back or left. */
  add(moved: MovedFile): Promise<void>
  /** One that an earlier process moved. */
  resume(moved: MovedFile): void
  close(): void
}

const REPORT = '.report.json'
const REPORT_BYTES = 1024 * 1024
const LONGEST_PAUSE_MS = 60_000
/** More files than one copy in progress could have. */
const MOST = 1_000

/**
 * Re-imports files that grow after they were imported. A copy that stalls for longer than the settling time continues
 * after the file was moved, since the writer holds it open. Its size or mtime then differs from what was imported, so it
 * is put back where it came from, settles and is imported again. Each file is checked for a day, less and less often. A
 * file that was replaced there, as most editors do, is left alone; one that took the place of what was imported just before
 * the move is put back too.
 */
export function trackMovedFiles(deps: {
  firstLookMs: number
  log: (line: string) => void
  /** A file's name for messages. */
  nameOf: (path: string) => string
}): MovedFiles {
  const timers = new Map<string, NodeJS.Timeout>()
  let closed = false

  const lookAfter = (moved: MovedFile, pauseMs: number, until: number) => {
    if (closed) return
    const timer = setTimeout(() => void look(moved, pauseMs, until), pauseMs)
    timer.unref()
    timers.set(moved.target, timer)
  }

  const look = async (moved: MovedFile, pauseMs: number, until: number, justMoved = false) => {
    timers.delete(moved.target)
    // What cannot be read any more is left alone.
    const now = await takeSnapshot(moved.target).catch(() => undefined)
    if (!now || (!justMoved && isAnother(now.version, moved.version))) return
    if (now.version !== moved.version) return putBack(moved, deps)
    if (Date.now() < until) lookAfter(moved, Math.min(Math.max(pauseMs * 2, deps.firstLookMs), LONGEST_PAUSE_MS), until)
  }

  const begin = (moved: MovedFile, justMoved: boolean) => {
    clearTimeout(timers.get(moved.target))
    const [oldest] = timers.keys()
    if (timers.size >= MOST && oldest !== undefined) {
      clearTimeout(timers.get(oldest))
      timers.delete(oldest)
    }
    return look(moved, 0, Date.now() + DAY_MS, justMoved)
  }

  return {
    add: (moved) => begin(moved, true),
    resume: (moved) => void begin(moved, false),
    close() {
      closed = true
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
    },
  }
}

/** Whether a file was replaced by another: a version begins with the inode number. */
function isAnother(version: string, before: string): boolean {
  return version.includes(' ') && version.split(' ')[0] !== before.split(' ')[0]
}

async function putBack({ target, origin }: MovedFile, deps: Parameters<typeof trackMovedFiles>[0]): Promise<void> {
  try {
    await rename(target, await availablePath(dirname(origin), basename(origin)))
    await rm(target + REPORT, { force: true })
    deps.log(`${deps.nameOf(origin)} was written to after it was imported: it is imported again.`)
  } catch (error) {
    const code = codeOf(error)
    if (code !== 'ENOENT')
      deps.log(`${deps.nameOf(target)} was written to after it was imported, and could not be put back (${code}).`)
  }
}

const account = v.looseObject({ file: v.string(), version: v.string(), finished_at: v.string() })

/** Files moved by earlier processes within the last day, from the reports in `imported/` and `failed/`. */
export async function recentlyMoved(root: string, now: Date): Promise<MovedFile[]> {
  const moved: MovedFile[] = []
  for (const folder of await watchedFolders(root)) {
    for (const done of Object.values(DONE_FOLDERS)) moved.push(...(await reported(root, join(folder, done), now)))
  }
  return moved
}

/** The folder itself, and those in it that may be environments or mappings. */
async function watchedFolders(root: string, depth = 2): Promise<string[]> {
  const entries = depth === 0 ? [] : await readdir(root, { withFileTypes: true }).catch(() => [])
  const inside = entries.filter((entry) => entry.isDirectory() && !(entry.name in DONE_FOLDERS))
  const deeper = await Promise.all(inside.map(({ name }) => watchedFolders(join(root, name), depth - 1)))
  return [root, ...deeper.flat()]
}

async function reported(root: string, folder: string, now: Date): Promise<MovedFile[]> {
  const names = await readdir(folder).catch(() => [])
  const moved: MovedFile[] = []
  for (const name of names.filter((name) => name.endsWith(REPORT)).slice(-MOST)) {
    const bytes = await readRegularFile(root, join(folder, name), (size) => {
      if (size > REPORT_BYTES) throw new Error('too long for a report')
    }).catch(() => undefined)
    const text = bytes === undefined ? '' : Buffer.from(bytes).toString()
    const checked = v.safeParse(v.pipe(v.string(), v.parseJson(), account), text)
    if (!checked.success) continue
    const { file, version, finished_at } = checked.output
    const origin = join(dirname(folder), file)
    // Whoever can drop files here could write a report that names "..".
    if (now.getTime() - Date.parse(finished_at) > DAY_MS || dirname(origin) !== dirname(folder)) continue
    moved.push({ target: join(folder, name.slice(0, -REPORT.length)), origin, version })
  }
  return moved
}
