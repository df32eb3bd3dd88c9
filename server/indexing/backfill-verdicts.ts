import { setTimeout as sleep } from 'node:timers/promises'
import type { Log, Pool } from '../deps.ts'
import { yieldToEventLoop } from '../event-loop.ts'
import type { SentimentClassifier } from '../sentiment/sentiment.ts'
import { saveVerdicts, unjudgedExcerpts } from '../sql/excerpts/excerpt-verdicts.ts'

const BATCH = 200
const LOOK_AGAIN_MS = 60_000

/**
 * Classifies stored excerpts that have no verdict of the present model, in the background: those that a server of an earlier
 * version indexed. Until then an earlier model's verdict holds. Looks again now and then, since such a server may still run.
 */
export function backfillVerdicts(deps: { sql: Pool; log: Log; classify: SentimentClassifier }): {
  /** Resolves when all that can be classified now is. */
  done(): Promise<void>
  stop(): Promise<void>
} {
  const { sql, log, classify } = deps
  const stopping = new AbortController()
  const { signal } = stopping

  async function classifyAll(): Promise<void> {
    for (let total = 0; !signal.aborted; ) {
      const excerpts = await unjudgedExcerpts(sql, BATCH)
      const verdicts: Parameters<typeof saveVerdicts>[1][number][] = []
      for (const { text, ...key } of excerpts) {
        await yieldToEventLoop()
        verdicts.push({ ...key, verdict: classify(text, 'excerpt') })
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
    classifyAll().catch((error: unknown) => {
      if (!signal.aborted) log.debug({ error: String(error) }, 'excerpts could not be judged now')
    })
  let running = attempt()
  const loop = (async () => {
    while (!signal.aborted) {
      await running
      await sleep(LOOK_AGAIN_MS, undefined, { ref: false, signal }).catch(() => {})
      if (!signal.aborted) running = attempt()
    }
  })()
  return {
    done: () => running,
    async stop() {
      stopping.abort()
      await loop
    },
  }
}
