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
 * How many files, including connections, the process may have open.
 * @param limits the process limits that Linux reports; undefined elsewhere
 * @returns undefined when that is unknown or unlimited
 */
export function openFilesLimit(limits: string | undefined): number | undefined {
  const written = /^Max open files\s+(\d+)/m.exec(limits ?? '')?.[1]
  return written === undefined ? undefined : Number(written)
}
