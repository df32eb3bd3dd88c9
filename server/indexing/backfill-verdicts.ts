import type { Log, Pool } from '../deps.ts'
import { yieldToEventLoop } from '../event-loop.ts'
import { type Background, everyMinute } from '../every-minute.ts'
import type { SentimentClassifier } from '../sentiment/sentiment.ts'
import { saveVerdicts, unjudgedExcerpts } from '../sql/excerpts/excerpt-verdicts.ts'

const BATCH = 200

/**
 * Classifies stored excerpts without a verdict of the current model, in the background: those indexed by a server of an
 * earlier version. Until then an earlier model's verdict holds. Repeats now and then, since such a server may still be
 * running.
 */
export function backfillVerdicts(deps: { sql: Pool; log: Log; classify: SentimentClassifier }): Background {
  const { sql, log, classify } = deps

  async function classifyAll(shouldContinue: () => boolean): Promise<void> {
    for (let total = 0; shouldContinue(); ) {
      const excerpts = await unjudgedExcerpts(sql, BATCH)
      const verdicts: Parameters<typeof saveVerdicts>[1][number][] = []
      for (const { text, ...key } of excerpts) {
        await yieldToEventLoop()
        verdicts.push({ ...key, verdict: classify(text, 'excerpt') })
      }
      const saved = verdicts.length === 0 ? 0 : await saveVerdicts(sql, verdicts)
      total += saved
      // Excerpts that others have locked are theirs, or are left to the next round.
      if (saved > 0) continue
      if (total > 0) log.info({ excerpts: total }, 'judged what stored excerpts say')
      return
    }
  }
  return everyMinute(classifyAll, log, 'excerpts could not be judged now')
}
