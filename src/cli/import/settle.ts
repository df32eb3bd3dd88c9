import type { Progress } from '../progress.ts'
import type { ClientSession } from '../session.ts'

/** In this process the indexing must be finished before the database is closed; a server does it by itself. */
export async function settle(
  { connection }: ClientSession,
  signal: AbortSignal,
  progress: (text: string) => Progress,
): Promise<void> {
  if (connection.kind !== 'in-process' || signal.aborted) return
  const shown = progress('Indexing')
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  try {
    // Interrupted, what is left is indexed when a server or command opens the database again.
    await Promise.race([connection.settled(), stopped])
  } finally {
    shown.stop()
  }
}
