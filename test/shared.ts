/**
 * Resources shared by the test files of one process: a database, a browser. `test/run-files.ts` closes them after the last
 * file; a file that is run by itself shares nothing, so that its process can exit.
 */
const closers: (() => Promise<void>)[] = []
let sharing = false

/** Whether further test files may run in this process. */
export function isShared(): boolean {
  return sharing
}

/** From now on, resources are kept for later files. */
export function startSharing(): void {
  sharing = true
}

/** Registers a callback for after the last file of this process. */
export function closeAtEnd(close: () => Promise<void>): void {
  closers.push(close)
}

export async function closeShared(): Promise<void> {
  sharing = false
  for (const close of closers.splice(0).reverse()) await close()
}
