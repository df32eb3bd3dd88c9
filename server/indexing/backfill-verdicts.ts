import type { Log, Pool } from '../deps.ts'
import { yieldToEventLoop } from '../event-loop.ts'
import { type Background, everyMinute } from '../every-minute.ts'
import type { SentimentClassifier } from '../sentiment/sentiment.ts'
import { saveVerdicts, unjudgedExcerpts } from '../sql/excerpts/excerpt-verdicts.ts'

const BATCH = 200

/**
 * Classifies stored excerpts that have no verdict of the present model, in the background: those that a server of an earlier
 * version indexed. Until then an earlier model's verdict holds. Looks again now and then, since such a server may still run.
 */
export function backfillVerdicts(deps: { sql: Pool; log: Log; classify: SentimentClassifier }): Background {
  const { sql, log, classify } = deps

  async function classifyAll(goesOn: () => boolean): Promise<void> {
    for (let total = 0; goesOn(); ) {
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
  return everyMinute(classifyAll, log, 'excerpts could not be judged now')
}
