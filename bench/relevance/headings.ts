import { readFileSync } from 'node:fs'
import { cosineOf } from '../../server/embed/calibrate.ts'
import type { Embedder } from '../../server/embed/embedder.ts'
import { thresholdsOf } from '../../server/search/policy.ts'
import { DEFAULT_SIMILARITY_FLOOR } from '../../src/contract/limits.ts'

/** Sentences of a review that names a thing; a heading has one of them, by turns. */
const SENTENCES = [
  (thing: string) => `We love the ${thing} we bought here.`,
  (thing: string) => `The ${thing} arrived quickly and works as described, good quality.`,
  (thing: string) => `Great selection of ${thing} and helpful staff.`,
]

export interface HeadingsFigures {
  headings: number
  /** How many are below the floor against a sentence that has them word for word: only the word tier shows it. */
  belowFloor: number
  /** How many are below the word tier as well, so that nothing is shown. */
  silent: number
  /** The lowest, for reading. */
  lowest: { heading: string; cosine: number }[]
}

/** Headings of other people's pages, one a line of a file, over made-up sentences that have them word for word. */
export async function measureHeadings(embedder: Embedder, path: string): Promise<HeadingsFigures> {
  const headings = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const found: HeadingsFigures['lowest'] = []
  for (const [i, heading] of headings.entries()) {
    const sentence = SENTENCES[i % SENTENCES.length]?.(heading.toLowerCase()) ?? ''
    const [query = []] = await embedder.embed([heading], 'query')
    const [document = []] = await embedder.embed([sentence], 'document')
    found.push({ heading, cosine: cosineOf(query, document) })
  }
  found.sort((a, b) => a.cosine - b.cosine)
  const { floor, wordTier } = thresholdsOf(DEFAULT_SIMILARITY_FLOOR)
  const below = (threshold: number) => found.filter(({ cosine }) => cosine < threshold).length
  return {
    headings: headings.length,
    belowFloor: below(floor),
    silent: below(wordTier),
    lowest: found.slice(0, 40),
  }
}
