import { constants } from 'node:fs'
import { lstat, mkdir, open, realpath, rename, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join, relative, sep } from 'node:path'
import { watch as watchFiles } from 'chokidar'
import { ApiError } from '../../client/errors.ts'
import { ImporterError } from '../../importer/importer-error.ts'
import { checkFileSize, type InputFile } from '../../importer/table.ts'
import { CliError, failureOf } from '../failure.ts'
import type { ImportReport } from './import-input.ts'
import { DONE_FOLDERS, isIgnored, type Placement, placementOf } from './watch-layout.ts'

export interface WatchDeps {
  configDir: string
  /** Imports one file and writes its errors.csv to the given path. */
  importFile(file: InputFile, placement: Placement, errorsPath: string): Promise<ImportReport>
  say(line: string): void
  /** How long a file must not have changed, in milliseconds. */
  settleMs?: number
  /** The first wait before a file is tried again; it doubles up to five minutes. */
  retryMs?: number
}

export interface FolderWatch {
  /** Resolves when the files that lay there at the start were looked at. */
  ready: Promise<void>
  /** Resolves when nothing is waiting; files that are tried again later don't count. */
  idle(): Promise<void>
  close(): Promise<void>
}

const SETTLE_MS = 2_000
const RETRY_MS = { first: 5_000, longest: 300_000 }
/** Refusals of the file itself: another try would end the same. */
const FINAL_API_CODES = new Set(['validation_failed', 'payload_too_large', 'review_limit_reached'])
const FINAL_CLI_CODES = new Set(['bad_mapping', 'no_mapping'])

/**
 * Imports each file that is put into a folder once it has settled, one after the other, and moves it to `imported/` or
 * `failed/` beside its report. A file is moved only after its import, so that one that was under way when the process
 * ended is simply imported again, which changes nothing. What fails for other reasons than the file (no server, no
 * network) stays where it is and is tried again.
 */
export function watchFolder(dir: string, deps: WatchDeps): FolderWatch {
  const settleMs = deps.settleMs ?? SETTLE_MS
  const waits = new Map<string, number>()
  const timers = new Set<NodeJS.Timeout>()
  const said = new Set<string>()
  const left = new Map<string, string>()
  let closed = false
  let last: Promise<void> = Promise.resolve()
  const pending = new Set<string>()

  const sayOnce = (line: string) => {
    if (said.has(line)) return
    said.add(line)
    deps.say(line)
  }

  const enqueue = (path: string) => {
    if (closed || pending.has(path)) return
    pending.add(path)
    last = last.then(async () => {
      pending.delete(path)
      if (!closed) await handle(path).catch((error) => sayOnce(`${relative(dir, path)}: ${failureOf(error).what}.`))
    })
  }

  async function handle(path: string): Promise<void> {
    const before = await lstat(path).catch(() => undefined)
    if (!before) return
    const name = relative(dir, path)
    const version = `${before.mtimeMs} ${before.size}`
    if (left.get(path) === version) return
    if (!before.isFile()) return sayOnce(`${name} is no ordinary file (a link is not followed): it is left alone.`)
    let placement: Placement | string
    let outcome: Outcome
    try {
      placement = await placementOf(dir, path, deps.configDir)
      if (typeof placement === 'string') return sayOnce(`${placement}.`)
      const errorsPath = join(dirname(path), DONE_FOLDERS.imported, `${basename(path)}.errors.csv`)
      await mkdir(dirname(errorsPath), { recursive: true })
      const file = await readSafely(dir, path)
      outcome = { ok: true, report: await deps.importFile(file, placement, errorsPath) }
    } catch (error) {
      if (isGone(error)) return
      if (!isFinal(error)) return tryLater(path, name, error)
      outcome = { ok: false, error }
    }
    waits.delete(path)
    const after = await lstat(path).catch(() => undefined)
    // Written to meanwhile: what is there now is another file, and comes again when it has settled.
    if (!after || `${after.mtimeMs} ${after.size}` !== version) return
    deps.say(`${name}: ${summary(outcome)}`)
    try {
      await putAway(path, outcome)
    } catch (error) {
      left.set(path, version)
      deps.say(`${name} could not be moved: ${failureOf(error).what}. It is not imported again until it changes.`)
    }
  }

  function tryLater(path: string, name: string, error: unknown): void {
    if (closed) return
    const wait = waits.get(path) ?? deps.retryMs ?? RETRY_MS.first
    waits.set(path, Math.min(wait * 2, RETRY_MS.longest))
    sayOnce(`${name} is tried again later: ${failureOf(error).what}.`)
    const timer = setTimeout(() => {
      timers.delete(timer)
      enqueue(path)
    }, wait)
    timers.add(timer)
  }

  const watcher = watchFiles(dir, {
    followSymlinks: false,
    depth: 3,
    ignored: (path) => path !== dir && isIgnored(dir, path),
    awaitWriteFinish: { stabilityThreshold: settleMs, pollInterval: Math.min(200, settleMs / 2) },
  })
  watcher.on('add', enqueue)
  watcher.on('change', enqueue)
  watcher.on('error', (error) => sayOnce(`The folder can't be watched: ${failureOf(error).what}.`))
  // A file that lies there from the start is reported after it has settled, which "ready" does not wait for.
  const ready = new Promise<void>((resolve) => watcher.once('ready', () => setTimeout(resolve, settleMs + 500)))

  return {
    ready,
    async idle() {
      for (let seen: Promise<void> | undefined; seen !== last; ) {
        seen = last
        await seen
      }
    },
    async close() {
      closed = true
      for (const timer of timers) clearTimeout(timer)
      await watcher.close()
      await last
    },
  }
}

type Outcome = { ok: true; report: ImportReport } | { ok: false; error: unknown }

/** Reads a file that is no link and does not lie behind one, after its size was checked. */
async function readSafely(dir: string, path: string): Promise<InputFile> {
  const folder = await realpath(dirname(path))
  const root = await realpath(dir)
  if (folder !== root && !folder.startsWith(root + sep))
    throw new ImporterError('not_text', `${path} lies behind a link that leads out of the folder.`)
  const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  try {
    checkFileSize(basename(path), (await handle.stat()).size)
    return { name: basename(path), bytes: await handle.readFile() }
  } finally {
    await handle.close()
  }
}

/** The report first, then the file: a file in `imported/` always has its report. */
async function putAway(path: string, outcome: Outcome): Promise<void> {
  const folder = join(dirname(path), outcome.ok ? DONE_FOLDERS.imported : DONE_FOLDERS.failed)
  await mkdir(folder, { recursive: true })
  const target = await freeName(folder, basename(path))
  let report: object
  if (outcome.ok) {
    const { errors_csv: errors } = outcome.report
    const errorsPath = errors === null ? null : `${target}.errors.csv`
    if (errors !== null && errorsPath !== null && errors !== errorsPath) await rename(errors, errorsPath)
    report = { ...outcome.report, errors_csv: errorsPath === null ? null : basename(errorsPath) }
  } else {
    const { code, what, details, hints } = failureOf(outcome.error)
    report = { error: { code, message: what, details, hints } }
  }
  const account = { file: basename(path), finished_at: new Date().toISOString(), ...report }
  await writeFile(`${target}.report.json`, `${JSON.stringify(account, null, 2)}\n`)
  await rename(path, target)
}

/** `a.csv`, or `a (2).csv` when that is taken. */
async function freeName(folder: string, name: string): Promise<string> {
  const extension = extname(name)
  const stem = name.slice(0, name.length - extension.length)
  for (let count = 1; ; count++) {
    const path = join(folder, count === 1 ? name : `${stem} (${count})${extension}`)
    if (!(await stat(path).catch(() => undefined))) return path
  }
}

function summary(outcome: Outcome): string {
  if (!outcome.ok) return `not imported: ${failureOf(outcome.error).what}.`
  const { inserted, updated, skipped } = outcome.report
  return `${inserted} inserted, ${updated} updated, ${skipped} skipped.`
}

function isFinal(error: unknown): boolean {
  if (error instanceof ImporterError) return true
  if (error instanceof SyntaxError) return true
  if (error instanceof ApiError) return FINAL_API_CODES.has(error.code)
  return error instanceof CliError && FINAL_CLI_CODES.has(error.code)
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
