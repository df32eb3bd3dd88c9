import { setTimeout as sleep } from 'node:timers/promises'
import type { Log, Pool } from '../deps.ts'
import { rest } from '../event-loop.ts'
import type { SentimentClassifier } from '../sentiment/sentiment.ts'
import { saveVerdicts, unjudgedExcerpts } from '../sql/excerpts/excerpt-verdicts.ts'

const BATCH = 200
const LOOK_AGAIN_MS = 60_000

/**
 * Judges stored excerpts that have no verdict, in the background: those that a server of an earlier version indexed.
 * Looks again now and then, since such a server may still run.
 */
export function judgeExcerpts(deps: { sql: Pool; log: Log; classify: SentimentClassifier }): {
  /** Resolves when all that can be judged now is. */
  done(): Promise<void>
  stop(): Promise<void>
} {
  const { sql, log, classify } = deps
  let stopped = false
  const waiting = new AbortController()

  async function judgeAll(): Promise<void> {
    for (let total = 0; !stopped; ) {
      const excerpts = await unjudgedExcerpts(sql, BATCH)
      const verdicts: Parameters<typeof saveVerdicts>[1][number][] = []
      for (const { text, ...key } of excerpts) {
        await rest()
        verdicts.push({ ...key, verdict: classify(text) })
      }
      const saved = verdicts.length === 0 ? 0 : await saveVerdicts(sql, verdicts)
      total += saved
      // What others hold is theirs, or is looked at next time.
      if (saved > 0) continue
      if (total > 0) log.info({ excerpts: total }, 'judged what stored excerpts say')
      return
    }
  }
  const attempt = () =>
    judgeAll().catch((error: unknown) => {
      if (!stopped) log.debug({ error: String(error) }, 'excerpts could not be judged now')
    })
  let running = attempt()
  const loop = (async () => {
    while (!stopped) {
      await running
      await sleep(LOOK_AGAIN_MS, undefined, { ref: false, signal: waiting.signal }).catch(() => {})
      if (!stopped) running = attempt()
    }
  })()
  return {
    done: () => running,
    async stop() {
      stopped = true
      waiting.abort()
      await running
      await loop
    },
  }
}
