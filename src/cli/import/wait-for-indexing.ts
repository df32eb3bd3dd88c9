import { readReadiness } from '../../client/readiness.ts'
import type { Session } from '../connection/session.ts'
import type { Progress } from '../output/progress.ts'
import { setAsideLine } from '../reviews/set-aside.ts'

/**
 * In this process the indexing must be finished before the database is closed; a server does it by itself.
 *
 * @param shown how to say that it is waited for, and that some reviews cannot be indexed
 */
export async function waitForIndexing(
  { connection }: Pick<Session, 'connection'>,
  signal: AbortSignal,
  shown: { progress(text: string): Progress; note(line: string): void },
): Promise<void> {
  if (connection.kind !== 'in-process' || signal.aborted) return
  const progress = shown.progress('Indexing')
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  try {
    // Interrupted, what is left is indexed when a server or command opens the database again.
    await Promise.race([connection.settled(), stopped])
  } finally {
    progress.stop()
  }
  if (signal.aborted) return
  const setAside = (await readReadiness(connection.fetch, connection.baseUrl, signal))?.queue?.set_aside ?? 0
  if (setAside > 0) shown.note(setAsideLine(setAside))
}
