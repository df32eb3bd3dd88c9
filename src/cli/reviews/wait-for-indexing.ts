import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { readReadiness } from '../../client/readiness.ts'
import { pluralize } from '../../contract/counts.ts'
import { LIST_LIMIT } from '../../contract/limits.ts'
import type { ClientSession, Session } from '../connection/session.ts'
import { type Reporter, withProgress } from '../output/terminal.ts'

const POLL_MS = 500

/**
 * Waits for indexing in this process, which must finish before the database is closed; does nothing for a server, which
 * indexes by itself. After an interruption the rest is indexed when a server or command opens the database again.
 */
export async function waitForIndexing(
  { connection }: Pick<Session, 'connection'>,
  signal: AbortSignal,
  reporter: Reporter,
): Promise<void> {
  if (connection.kind !== 'in-process' || signal.aborted) return
  await withProgress(reporter, 'Indexing', () => Promise.race([connection.whenIndexed(), once(signal, 'abort')]))
  if (!signal.aborted) reportSetAside((await readQueue(connection))?.set_aside ?? 0, reporter)
}

/**
 * Waits until a server has indexed these reviews, or has set some aside and nothing else is queued. When more reviews of
 * the project are unindexed than fit one page of the list, it waits for those as well.
 */
export async function waitForServer(
  { connection, client }: ClientSession,
  ids: ReadonlySet<string>,
  signal: AbortSignal,
  reporter: Reporter,
): Promise<void> {
  let setAside = 0
  const isDone = async () => {
    const { reviews, next_cursor } = await client.list({ indexed: 'false', limit: LIST_LIMIT.max }, signal)
    if (next_cursor === null && !reviews.some(({ id }) => ids.has(id))) return true
    const queue = await readQueue(connection, signal)
    if (queue?.queued === 0) setAside = queue.set_aside
    return setAside > 0
  }
  await withProgress(reporter, 'Indexing', async () => {
    while (!(await isDone())) await sleep(POLL_MS, undefined, { signal })
  }).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
  reportSetAside(setAside, reporter)
}

/** Undefined when the server does not answer; the next poll asks again. */
async function readQueue(connection: Session['connection'], signal?: AbortSignal) {
  return (await readReadiness(connection, signal).catch(() => undefined))?.queue
}

function reportSetAside(count: number, reporter: Reporter): void {
  if (count === 0) return
  const verb = count === 1 ? 'is' : 'are'
  reporter.info(
    `${pluralize(count, 'review')} on this server could not be indexed and ${verb} set aside. See why: pullquote reviews failed`,
  )
}
