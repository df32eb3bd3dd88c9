import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../../src/contract/code-of.ts'
import type { Log, Pool } from '../deps.ts'
import { lockHolder } from './lock-holder.ts'
import { DatabaseUnfit } from './requirements.ts'
import { isHeldUp } from './unavailable.ts'

export interface LockWaits {
  /** How long a statement waits for a lock, with searches of other servers queued behind it, before it lets them pass. */
  lockMs: number
  retryMs: number
  giveUpMs: number
  /** How long to queue behind another server that migrates; without a limit by default. */
  queueMs?: number
}

export const SERVER_WAITS: LockWaits = { lockMs: 3_000, retryMs: 1_000, giveUpMs: 600_000 }
/** Somebody waits for its answer, or a schedule. */
export const COMMAND_WAITS: LockWaits = { ...SERVER_WAITS, giveUpMs: 10_000, queueMs: 3_000 }

/**
 * Retries a step of the start that a backup, a long statement or a server of the earlier version blocked.
 * @param what the step, for messages
 * @throws {DatabaseUnfit} `database_busy`, which names who holds the locks
 */
export async function untilLocked<T>(
  sql: Pool,
  what: string,
  log: Log,
  { retryMs, giveUpMs }: LockWaits,
  work: () => Promise<T>,
): Promise<T> {
  const end = Date.now() + giveUpMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isHeldUp(error)) throw error
      const holder = await lockHolder(sql)
      if (Date.now() > end) {
        const lasted = giveUpMs < 60_000 ? `${giveUpMs / 1000} seconds` : `${giveUpMs / 60_000} minutes`
        const who = holder
          ? `: now process ${holder.pid} of ${holder.user}, ${holder.application || 'without a name'}`
          : ''
        throw new DatabaseUnfit(
          'database_busy',
          `${what} found the tables locked for ${lasted}. Nothing was changed. If another server is migrating them, wait for it; otherwise end what holds them (a backup, pg_dump, a long statement: see pg_stat_activity${who}), then try again.`,
          { cause: error },
        )
      }
      log.warn(
        { step: what, code: codeOf(error), holder },
        'another program holds tables that this needs; trying again',
      )
      await sleep(retryMs)
    }
  }
}
