import { readFileSync } from 'node:fs'

/** The limits of this process, on Linux. */
export function readProcessLimits(): string | undefined {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return undefined
  }
}

/**
 * How many files the process may have open at once, its connections among them.
 *
 * @param limits what Linux tells of a process's limits; undefined elsewhere
 * @returns undefined where that is not known, or there is no limit
 */
export function openFilesLimit(limits: string | undefined): number | undefined {
  const written = /^Max open files\s+(\d+)/m.exec(limits ?? '')?.[1]
  return written === undefined ? undefined : Number(written)
}
