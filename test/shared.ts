/**
 * What the test files of one process share: a database, a browser. `test/run-files.ts` runs files one after another and
 * closes at the end what was kept; a file that is run by itself keeps nothing, and so ends by itself.
 */
const kept: (() => Promise<void>)[] = []
let keeping = false

/** Whether further test files may run in this process. */
export function isShared(): boolean {
  return keeping
}

/** From now on what may serve several files is kept. */
export function startSharing(): void {
  keeping = true
}

/** `close` is called when the last file of this process has ended. */
export function closeAtEnd(close: () => Promise<void>): void {
  kept.push(close)
}

export async function closeShared(): Promise<void> {
  keeping = false
  for (const close of kept.splice(0).reverse()) await close()
}
