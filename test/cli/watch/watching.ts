import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Placement } from '../../../src/cli/watch/layout.ts'
import { FolderWatch } from '../../../src/cli/watch/watch-folder.ts'
import type { WatchEvent } from '../../../src/cli/watch/watch-log.ts'
import type { ImportResponse } from '../../../src/contract/import.ts'
import { importAnswer } from '../../client/import-answer.ts'

export const answer = importAnswer({ inserted: 1 })

interface Seen extends Placement {
  name: string
  text: string
  bytes: Uint8Array
}

/** Watches a new folder; `answers` decides each import, by the file's name. */
export function watching(
  answers: (name: string, errorsPath: string) => void = () => {},
  dir = mkdtempSync(join(tmpdir(), 'pullquote-watch-')),
  settleMs = 150,
  reports: Record<string, Partial<ImportResponse>> = {},
  cutStableMs = settleMs,
) {
  const seen: Seen[] = []
  const said: string[] = []
  const events: WatchEvent[] = []
  const configDir = mkdtempSync(join(tmpdir(), 'pullquote-config-'))
  const folder = new FolderWatch(dir, {
    configDir,
    stableMs: settleMs,
    cutStableMs,
    retryMs: 200,
    log: (line) => said.push(line),
    onEvent: (event) => events.push(event),
    async importFile(file, placement, errorsPath) {
      seen.push({ name: file.name, text: Buffer.from(file.bytes).toString(), bytes: file.bytes, ...placement })
      answers(file.name, errorsPath)
      return { ...answer, ...reports[file.name], errors_csv: existsSync(errorsPath) ? errorsPath : null }
    },
  })
  return { dir, configDir, folder, seen, said, events }
}

/**
 * Does `write` so many times, with a pause after each.
 *
 * @returns the milliseconds of the longest pause: a busy machine stretches them
 */
export async function inPieces(count: number, pauseMs: number, write: (part: number) => void): Promise<number> {
  let longest = 0
  for (let part = 0; part < count; part++) {
    write(part)
    const written = performance.now()
    await sleep(pauseMs)
    longest = Math.max(longest, performance.now() - written)
  }
  return Math.round(longest)
}

export const has = (...path: string[]) => existsSync(join(...path))
