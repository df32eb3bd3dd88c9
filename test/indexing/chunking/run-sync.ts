import { chunk as chunkInSteps, type Slice } from '../../../server/indexing/chunking/chunk.ts'
import type { Interruptible } from '../../../server/indexing/chunking/interruptible.ts'
import { sentenceStarts as sentenceStartsInSteps } from '../../../server/indexing/chunking/sentences.ts'

/** Does all steps at once. */
function runSync<T>(work: Interruptible<T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

export const chunk = (text: string, language?: string | null): Slice[] => runSync(chunkInSteps(text, language))

export const sentenceStarts = (...of: Parameters<typeof sentenceStartsInSteps>): number[] =>
  runSync(sentenceStartsInSteps(...of))
