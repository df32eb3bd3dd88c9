import { basename, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../../contract/code-of.ts'
import type { InputFile } from '../../importer/read/table.ts'
import { toCliError } from '../errors/cli-error.ts'
import type { ImportReport } from '../import/upload.ts'
import { describeOutcome, errorsPathFor, moveToDone, type WatchOutcome } from './done-folders.ts'
import { droppedFolderOf, type Placement, placementOf } from './layout.ts'
import { listFiles } from './listing.ts'
import { type MovedFiles, recentlyMoved, trackMovedFiles } from './moved-files.ts'
import { isFinal } from './not-ready.ts'
import { Settling, type SettlingTimes } from './settling.ts'
import { firstWritten, readSnapshot, reasonToLeave, type Snapshot, takeSnapshot } from './snapshot.ts'
import { WatchLog, type WatchLogDeps } from './watch-log.ts'
import { type RootWatch, watchRoot } from './watch-root.ts'

export interface WatchDeps extends WatchLogDeps, Partial<SettlingTimes> {
  configDir: string
  /** Imports one file and writes its errors.csv to the given path. */
  importFile(file: InputFile, placement: Placement, errorsPath: string): Promise<ImportReport>
  /** The first wait before a retry, in milliseconds; it doubles up to five minutes. */
  retryMs?: number
}

const STABLE_MS = 2_000
const CUT_STABLE_MS = 30_000
const RETRY_MS = { first: 5_000, longest: 300_000 }
/** Files that were copied together, or were there at the start, settle within this time of each other. */
const TOGETHER_MS = 200

/** A version of a file or folder that is handled. */
interface Handled {
  path: string
  /** Its path in the watched folder, for messages. */
  name: string
  version: string
}

/**
 * Watches a folder and imports each file, and each folder of a Google Takeout, once it has settled, then moves it to
 * `imported/` or `failed/` beside its report. They are imported one at a time, the one written first before the others,
 * since the last import of a review counts. Since a file is moved only after its import, whatever was in progress when the
 * process ended is simply imported again, which changes nothing. Failures that are not the file's fault (no server, no
 * network) leave it in place to be retried.
 */
export class FolderWatch {
  /** Resolves when the files present at the start have been queued. */
  readonly ready: Promise<void>
  readonly #dir: string
  readonly #deps: WatchDeps
  readonly #stableMs: number
  readonly #log: WatchLog
  readonly #root: RootWatch
  readonly #moved: MovedFiles
  readonly #timers = new Set<NodeJS.Timeout>()
  /** The next wait of each file that is tried again. */
  readonly #waits = new Map<string, number>()
  readonly #retries = new Map<string, NodeJS.Timeout>()
  /** What was imported, and could not be moved. */
  readonly #unmoved = new Map<string, { version: string; outcome: WatchOutcome }>()
  readonly #pending = new Set<string>()
  readonly #settling: Settling
  #last: Promise<void>
  #closed = false

  constructor(dir: string, deps: WatchDeps) {
    const stableMs = deps.stableMs ?? STABLE_MS
    const log = new WatchLog(deps)
    this.#dir = dir
    this.#deps = deps
    this.#stableMs = stableMs
    const cutStableMs = deps.cutStableMs ?? CUT_STABLE_MS
    const onCut = (path: string) => log.cut(relative(dir, path), cutStableMs / 1000)
    this.#settling = new Settling({ stableMs, cutStableMs }, (ms, work) => this.#schedule(ms, work), onCut)
    this.#log = log
    const say = (line: string) => log.line(line)
    this.#moved = trackMovedFiles({ firstLookMs: stableMs, log: say, nameOf: (path) => relative(dir, path) })
    // Files moved by an earlier process may have grown since.
    this.#last = recentlyMoved(dir, new Date()).then((before) => {
      for (const one of this.#closed ? [] : before) this.#moved.resume(one)
    })
    this.#root = watchRoot(dir, {
      stableMs,
      onWritten: (path) => this.#onWritten(path),
      onError: (error, denied) =>
        log.once(
          denied === undefined
            ? `The folder can't be watched: ${toCliError(error).message}.`
            : `${denied} can't be read by this user: it waits until it can.`,
        ),
      log: say,
    })
    this.ready = this.#root.ready
  }

  /** Resolves when nothing is queued; files that wait for a retry do not count. */
  async idle(): Promise<void> {
    for (let seen: Promise<void> | undefined; seen !== this.#last || this.#settling.size > 0; ) {
      seen = this.#last
      await seen
      await this.#settling.all()
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const timer of this.#timers) clearTimeout(timer)
    this.#moved.close()
    await this.#root.close()
    await this.#last
  }

  #nameOf(path: string): string {
    return relative(this.#dir, path)
  }

  #schedule(ms: number, work: () => void): NodeJS.Timeout | undefined {
    if (this.#closed) return undefined
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      work()
    }, ms)
    this.#timers.add(timer)
    return timer
  }

  /** Queues a written file, or the folder dropped as a whole that contains it. */
  #onWritten(path: string): void {
    if (this.#closed) return
    const routed = droppedFolderOf(this.#dir, path, this.#deps.configDir).then((folder) =>
      this.#settling.add(folder ?? path, (error) => {
        if (error !== undefined) this.#log.error(this.#nameOf(folder ?? path), error)
        this.#enqueue(folder ?? path)
      }),
    )
    this.#last = this.#last.then(() => routed).catch((error) => this.#log.error(this.#nameOf(path), error))
  }

  #enqueue(path: string): void {
    if (this.#closed || this.#pending.has(path)) return
    const isFirst = this.#pending.size === 0
    this.#pending.add(path)
    this.#last = this.#last.then(async () => {
      if (isFirst) await sleep(Math.min(TOGETHER_MS, this.#stableMs / 2))
      for (let next = await this.#nextOf(); next !== undefined && !this.#closed; next = await this.#nextOf()) {
        const current = next
        this.#pending.delete(current)
        await this.#handle(current).catch((error) => this.#log.failed(this.#nameOf(current), error))
      }
    })
    // Those that wait for the server, which may be older.
    for (const waiting of this.#waits.keys()) this.#enqueue(waiting)
  }

  /** The one written first; none while that is a file that has yet to settle: what was written later comes after it. */
  async #nextOf(): Promise<string | undefined> {
    if (this.#pending.size === 0) return undefined
    const first = await firstWritten(new Set([...this.#pending, ...this.#settling.files]))
    return first !== undefined && this.#pending.has(first) ? first : undefined
  }

  async #handle(path: string): Promise<void> {
    const before = await takeSnapshot(path)
    if (!before) {
      this.#waits.delete(path)
      return
    }
    const file: Handled = { path, name: this.#nameOf(path), version: before.version }
    const stuck = this.#unmoved.get(path)
    if (stuck?.version === file.version) {
      await this.#move(file, stuck.outcome)
      return
    }
    this.#unmoved.delete(path)
    const outcome = await this.#import(file, before)
    if (!outcome) return
    this.#waits.delete(path)
    this.#log.forget(file.name)
    // Changed during the import: it is a new version now, and will be queued again once it has settled.
    const after = await takeSnapshot(path)
    if (after && after.version !== file.version) return
    const message = describeOutcome(outcome, basename(path))
    this.#log.line(`${file.name}: ${message}`)
    this.#log.done(file.name, message, after ? await this.#move(file, outcome) : outcome)
  }

  /** @returns undefined if it stays where it is: left there, gone meanwhile, or to be tried again */
  async #import({ path, name }: Handled, snapshot: Snapshot): Promise<WatchOutcome | undefined> {
    const refusal = reasonToLeave(name, snapshot)
    if (refusal !== undefined) return this.#leave(path, refusal)
    try {
      const placement = await placementOf(this.#dir, path, this.#deps.configDir)
      if (typeof placement === 'string') return this.#leave(path, `${placement}.`)
      const errorsPath = await errorsPathFor(path)
      const file = await readSnapshot(this.#dir, path, snapshot)
      return { ok: true, report: await this.#deps.importFile(file, placement, errorsPath) }
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      if (isFinal(error)) return { ok: false, error }
      this.#log.later(name, error)
      this.#queueLater(path)
      return undefined
    }
  }

  /** It is looked at again, since a mapping may come after the files. */
  #leave(path: string, why: string): undefined {
    this.#log.left(this.#nameOf(path), why)
    this.#queueLater(path)
  }

  /** @returns the outcome with the new path of the skipped rows; the given one if the file could not be moved */
  async #move({ path, name, version }: Handled, done: WatchOutcome): Promise<WatchOutcome> {
    try {
      const { target, outcome } = await moveToDone(path, done, version)
      this.#root.forget(path)
      await this.#moved.add({ target, origin: path, version })
      if (this.#unmoved.delete(path)) this.#log.line(`${name} has been moved now.`)
      this.#waits.delete(path)
      return outcome
    } catch (error) {
      if (!this.#unmoved.has(path))
        this.#log.line(
          `${name} could not be moved: ${toCliError(error).message}. That is tried again; it is not imported again unless it changes.`,
        )
      this.#unmoved.set(path, { version, outcome: done })
      this.#queueLater(path)
      return done
    }
  }

  #queueLater(path: string): void {
    const wait = this.#waits.get(path) ?? this.#deps.retryMs ?? RETRY_MS.first
    this.#waits.set(path, Math.min(wait * 2, RETRY_MS.longest))
    clearTimeout(this.#retries.get(path))
    const timer = this.#schedule(wait, () => void this.#again(path))
    if (timer) this.#retries.set(path, timer)
  }

  /** The files of a folder may have become imports of their own meanwhile. */
  async #again(path: string): Promise<void> {
    const isFolder = (await takeSnapshot(path).catch(() => undefined))?.kind === 'folder'
    const files = isFolder ? (await listFiles(path)).files : []
    for (const file of files.length > 0 ? files : [path]) this.#onWritten(file)
  }
}
