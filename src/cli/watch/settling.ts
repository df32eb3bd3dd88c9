import { constants } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import { endsMidLine, TAIL_BYTES } from '../../importer/read/mid-line.ts'
import { takeSnapshot } from './snapshot.ts'

/** How long a file or folder must be unchanged before it is imported, in milliseconds. */
export interface SettlingTimes {
  stableMs: number
  /** For a file that ends in the middle of a line: its copy may only be stalled. */
  cutStableMs: number
}

/** Files and folders that are waited for until nobody writes to them any more. */
export class Settling {
  readonly #times: SettlingTimes
  readonly #schedule: (ms: number, work: () => void) => void
  readonly #onCut: (path: string) => void
  readonly #waiting = new Map<string, Promise<void>>()
  /** Those that are single files. */
  readonly files = new Set<string>()

  /** @param onCut told at each look of a file that is waited for longer */
  constructor(times: SettlingTimes, schedule: (ms: number, work: () => void) => void, onCut: (path: string) => void) {
    this.#times = times
    this.#schedule = schedule
    this.#onCut = onCut
  }

  get size(): number {
    return this.#waiting.size
  }

  async all(): Promise<void> {
    await Promise.all(this.#waiting.values())
  }

  /** @param settled called once, when it has settled or is gone */
  add(path: string, settled: (error?: unknown) => void): void {
    if (this.#waiting.has(path)) return
    const end = (error?: unknown) => {
      this.#waiting.delete(path)
      this.files.delete(path)
      settled(error)
    }
    this.#waiting.set(
      path,
      this.#stable(path).then(() => end(), end),
    )
  }

  #stable(path: string): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const look = async (before?: { version: string; since: number }) => {
        const now = await takeSnapshot(path)
        if (!now || now.kind === 'other') return resolve()
        if (now.kind === 'file') this.files.add(path)
        const seen = before?.version === now.version ? before : { version: now.version, since: performance.now() }
        const state = await stateOf(path, now.kind, performance.now() - seen.since, this.#times)
        if (state === 'settled') return resolve()
        if (state === 'cut') this.#onCut(path)
        this.#schedule(this.#times.stableMs, () => look(seen).catch(reject))
      }
      look().catch(reject)
    })
  }
}

/** @param seenMs how long it was seen to stay the same */
async function stateOf(
  path: string,
  kind: 'file' | 'folder',
  seenMs: number,
  { stableMs, cutStableMs }: SettlingTimes,
): Promise<'settled' | 'changing' | 'cut'> {
  if (kind === 'folder') return seenMs >= stableMs ? 'settled' : 'changing'
  const stats = await lstat(path).catch(() => undefined)
  if (!stats) return 'settled'
  const now = Date.now()
  // The system's own time of the last change. That of the content is the sender's where a program copies it, at the end.
  const sameMs = Math.max(seenMs, now - stats.ctimeMs)
  if (sameMs < stableMs) return 'changing'
  if (sameMs >= cutStableMs || now - stats.mtimeMs >= cutStableMs) return 'settled'
  return (await isCut(path, stats.size)) ? 'cut' : 'settled'
}

/** One that cannot be read is left to its import, which says why. */
async function isCut(path: string, size: number): Promise<boolean> {
  let file: FileHandle | undefined
  try {
    file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(TAIL_BYTES),
      0,
      TAIL_BYTES,
      Math.max(0, size - TAIL_BYTES),
    )
    return endsMidLine(buffer.subarray(0, bytesRead))
  } catch {
    return false
  } finally {
    await file?.close()
  }
}
