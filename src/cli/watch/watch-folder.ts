import { basename, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../../contract/code-of.ts'
import type { InputFile } from '../../importer/read/table.ts'
import { toCliError } from '../errors/cli-error.ts'
import type { ImportReport } from '../import/upload.ts'
import { oneLine } from '../output/text.ts'
import { describeOutcome, errorsPathFor, isAllSkipped, moveToDone, type WatchOutcome } from './done-folders.ts'
import { droppedFolderOf, type Placement, placementOf } from './layout.ts'
import { recentlyMoved, trackMovedFiles } from './moved-files.ts'
import { isFinal, reasonToWait } from './not-ready.ts'
import { firstWritten, readSnapshot, reasonToLeave, takeSnapshot } from './snapshot.ts'
import { watchRoot } from './watch-root.ts'

export interface WatchDeps {
  configDir: string
  /** Imports one file and writes its errors.csv to the given path. */
  importFile(file: InputFile, placement: Placement, errorsPath: string): Promise<ImportReport>
  log(line: string): void
  /** Receives the outcome of each file, for programs. */
  onEvent?(event: WatchEvent): void
  /** How long a file must be unchanged before it is imported, in milliseconds. */
  stableMs?: number
  /** The first wait before a retry, in milliseconds; it doubles up to five minutes. */
  retryMs?: number
}

/** `left`: neither imported nor moved; `later`: failed for a reason other than the file, and will be retried. */
export type WatchEvent = { file: string } & (
  | { outcome: 'imported'; report: ImportReport }
  // With the report when all rows of the file were skipped.
  | { outcome: 'failed' | 'left' | 'later'; message: string; report?: ImportReport }
)

export interface FolderWatch {
  /** Resolves when the files present at the start have been queued. */
  ready: Promise<void>
  /** Resolves when nothing is queued; files that wait for a retry do not count. */
  idle(): Promise<void>
  close(): Promise<void>
}

const STABLE_MS = 2_000
const RETRY_MS = { first: 5_000, longest: 300_000 }
/** Files that were copied together, or were there at the start, settle within this time of each other. */
const TOGETHER_MS = 200
/**
 * Watches a folder and imports each file, and each folder of a Google Takeout, once it has settled, then moves it to
 * `imported/` or `failed/` beside its report. They are imported one at a time, the one written first before the others,
 * since the last import of a review counts. Since a file is moved only after its import, whatever was in progress when the
 * process ended is simply imported again, which changes nothing. Failures that are not the file's fault (no server, no
 * network) leave it in place to be retried.
 */
export function watchFolder(dir: string, deps: WatchDeps): FolderWatch {
  const stableMs = deps.stableMs ?? STABLE_MS
  const waits = new Map<string, number>()
  const retries = new Map<string, NodeJS.Timeout>()
  const timers = new Set<NodeJS.Timeout>()
  const logged = new Set<string>()
  /** What was imported, and could not be moved. */
  const unmoved = new Map<string, { version: string; outcome: WatchOutcome }>()
  let closed = false
  let last: Promise<void> = Promise.resolve()
  const pending = new Set<string>()
  const stabilizing = new Map<string, Promise<void>>()
  // File names are untrusted.
  const log = (line: string) => deps.log(oneLine(line))
  const moved = trackMovedFiles({ firstLookMs: stableMs, log, nameOf: (path) => relative(dir, path) })

  const logOnce = (line: string) => {
    if (logged.has(line)) return
    logged.add(line)
    log(line)
  }

  const reportFailure = (path: string, error: unknown) => {
    const file = relative(dir, path)
    const message = toCliError(error).message
    logOnce(`${file}: ${message}.`)
    deps.onEvent?.({ file, outcome: 'failed', message })
  }

  const schedule = (ms: number, work: () => void): NodeJS.Timeout | undefined => {
    if (closed) return undefined
    const timer = setTimeout(() => {
      timers.delete(timer)
      work()
    }, ms)
    timers.add(timer)
    return timer
  }

  const enqueue = (path: string) => {
    if (closed || pending.has(path)) return
    const isFirst = pending.size === 0
    pending.add(path)
    last = last.then(async () => {
      if (isFirst) await sleep(Math.min(TOGETHER_MS, stableMs / 2))
      const next = await firstWritten(pending)
      pending.delete(next ?? path)
      if (!closed && next !== undefined) await handle(next).catch((error) => reportFailure(next, error))
    })
    // Those that wait for the server, which may be older.
    for (const waiting of waits.keys()) enqueue(waiting)
  }

  /** Queues a written file, or the folder dropped as a whole that contains it. */
  const onWritten = (path: string) => {
    if (closed) return
    const routed = droppedFolderOf(dir, path, deps.configDir).then((folder) =>
      folder === undefined ? enqueue(path) : enqueueWhenStable(folder),
    )
    last = last.then(() => routed).catch((error) => logOnce(`${relative(dir, path)}: ${toCliError(error).message}.`))
  }

  /** A folder has settled when two consecutive snapshots have the same version. */
  const enqueueWhenStable = (path: string) => {
    if (stabilizing.has(path)) return
    const stable = new Promise<void>((resolve, reject) => {
      const look = async (seen?: string) => {
        const now = await takeSnapshot(path)
        if (now?.kind !== 'folder' || now.version === seen) return resolve()
        schedule(stableMs, () => look(now.version).catch(reject))
      }
      look().catch(reject)
    })
    const done = stable
      .catch((error) => logOnce(`${relative(dir, path)}: ${toCliError(error).message}.`))
      .then(() => {
        stabilizing.delete(path)
        enqueue(path)
      })
    stabilizing.set(path, done)
  }

  function reportLeft(name: string, why: string): void {
    logOnce(why)
    deps.onEvent?.({ file: name, outcome: 'left', message: why })
  }

  async function handle(path: string): Promise<void> {
    const before = await takeSnapshot(path)
    const name = relative(dir, path)
    if (!before) waits.delete(path)
    if (!before) return
    const stuck = unmoved.get(path)
    if (stuck?.version === before.version) {
      await move(path, name, stuck)
      return
    }
    unmoved.delete(path)
    const refusal = reasonToLeave(name, before)
    if (refusal !== undefined) return reportLeft(name, refusal)
    let outcome: WatchOutcome
    try {
      const placement = await placementOf(dir, path, deps.configDir)
      if (typeof placement === 'string') return reportLeft(name, `${placement}.`)
      const errorsPath = await errorsPathFor(path)
      const file = await readSnapshot(dir, path, before)
      outcome = { ok: true, report: await deps.importFile(file, placement, errorsPath) }
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return
      if (!isFinal(error)) return tryLater(path, name, error)
      outcome = { ok: false, error }
    }
    waits.delete(path)
    // A later file of the same name may need the same messages again.
    for (const line of logged) if (line.startsWith(`${name} `)) logged.delete(line)
    // Changed during the import: it is a new version now, and will be queued again once it has settled.
    const after = await takeSnapshot(path)
    if (after && after.version !== before.version) return
    const message = describeOutcome(outcome, basename(path))
    log(`${name}: ${message}`)
    if (after) outcome = await move(path, name, { version: before.version, outcome })
    if (!outcome.ok) deps.onEvent?.({ file: name, outcome: 'failed', message: toCliError(outcome.error).message })
    else if (isAllSkipped(outcome.report))
      deps.onEvent?.({ file: name, outcome: 'failed', message, report: outcome.report })
    else deps.onEvent?.({ file: name, outcome: 'imported', report: outcome.report })
  }

  /** @returns the outcome with the new path of the skipped rows; the given one if the file could not be moved */
  async function move(path: string, name: string, done: { version: string; outcome: WatchOutcome }) {
    try {
      const { target, outcome } = await moveToDone(path, done.outcome, done.version)
      await moved.add({ target, origin: path, version: done.version })
      if (unmoved.delete(path)) log(`${name} has been moved now.`)
      waits.delete(path)
      return outcome
    } catch (error) {
      if (!unmoved.has(path))
        log(
          `${name} could not be moved: ${toCliError(error).message}. That is tried again; it is not imported again unless it changes.`,
        )
      unmoved.set(path, done)
      queueLater(path)
      return done.outcome
    }
  }

  function tryLater(path: string, name: string, error: unknown): void {
    const message = reasonToWait(error)
    logOnce(`${name} is tried again later: ${message}.`)
    deps.onEvent?.({ file: name, outcome: 'later', message })
    queueLater(path)
  }

  function queueLater(path: string): void {
    const wait = waits.get(path) ?? deps.retryMs ?? RETRY_MS.first
    waits.set(path, Math.min(wait * 2, RETRY_MS.longest))
    clearTimeout(retries.get(path))
    const timer = schedule(wait, () => enqueue(path))
    if (timer) retries.set(path, timer)
  }

  // Files moved by an earlier process may have grown since.
  last = recentlyMoved(dir, new Date()).then((before) => {
    for (const one of closed ? [] : before) moved.resume(one)
  })

  const root = watchRoot(dir, {
    stableMs,
    onWritten,
    onError: (error) => logOnce(`The folder can't be watched: ${toCliError(error).message}.`),
    log,
  })
  // Files present at the start are reported only after they have settled, which chokidar's "ready" does not wait for.
  const ready = root.ready.then(() => new Promise<void>((resolve) => setTimeout(resolve, stableMs + 500)))

  return {
    ready,
    async idle() {
      for (let seen: Promise<void> | undefined; seen !== last || stabilizing.size > 0; ) {
        seen = last
        await seen
        await Promise.all(stabilizing.values())
      }
    },
    async close() {
      closed = true
      for (const timer of timers) clearTimeout(timer)
      moved.close()
      await root.close()
      await last
    },
  }
}
