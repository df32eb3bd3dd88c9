import * as assert from 'uvu/assert'
import { createBuiltinEmbedder } from '../../../server/embed/builtin/embedder.ts'
import { Tokenizer } from '../../../server/embed/builtin/tokenizer.ts'
import { normalizeQuery } from '../../../server/search/insights.ts'
import { queryWords } from '../../../server/search/words.ts'
import { createSentimentClassifier } from '../../../server/sentiment/classifier.ts'
import { textSearchConfig } from '../../../server/sql/excerpts/text-config.ts'
import { deriveQuery } from '../../../snippet/derive-query.ts'
import { passageAround } from '../../../snippet/passage.ts'
import { parseQueryBody } from '../../../src/contract/parse-query.ts'
import { reviewInput } from '../../../src/contract/review.ts'
import { parseDateOrDateTime } from '../../../src/contract/timestamp.ts'
import { validate } from '../../../src/contract/validate.ts'
import { suite } from '../../suite.ts'
import { hostileTexts } from './hostile-texts.ts'
import { chunk } from './run-sync.ts'

const test = suite('work on hostile texts grows with their length')

const LENGTH = 4_000
const GROWTH = 8
/**
 * Eight times the text: 8 is linear, 64 quadratic. Part of the work is linear even where a part is not: runs of dots and
 * quotes, which held the server for a second at their greatest length, grew by 20 to 30.
 */
const MOST_GROWTH = 16
/** Milliseconds of this process's own time; were all of it quadratic, a review of 20,000 units would take 250. */
const HARMLESS = 10

const texts = [...hostileTexts(LENGTH)]
const shortTexts = hostileTexts(LENGTH / GROWTH)

/** Processor time, which a busy machine stretches far less than the clock on the wall. */
async function milliseconds(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

async function fastest(times: number, work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < times; i++) least = Math.min(least, await milliseconds(work))
  return least
}

async function findSuperlinear(work: (text: string) => unknown, among = texts): Promise<string[]> {
  const found: string[] = []
  for (const [name, text] of among) {
    const short = shortTexts.get(name) ?? ''
    const isSuspect = async (times: number) => {
      const long = await fastest(times, () => work(text))
      return long > HARMLESS && long > MOST_GROWTH * (await fastest(times, () => work(short)))
    }
    // Again and again, since a shared processor may halve its speed between the two texts.
    if ((await isSuspect(1)) && (await isSuspect(5)) && (await isSuspect(5)) && (await isSuspect(5))) found.push(name)
  }
  return found
}

const embedder = await createBuiltinEmbedder()
const classify = createSentimentClassifier()
const tokenizer = new Tokenizer()
const REVIEW = { external_id: 'a', source: 'custom', author_name: 'a', occurred_at: '2026-01-01T00:00:00Z' }

const WORK: Record<string, (text: string) => unknown> = {
  'cutting a review into excerpts': (text) => chunk(text),
  tokens: (text) => tokenizer.tokenize(text),
  sentiment: (text) => classify(text),
  'the vector of a text': (text) => embedder.embed([text], 'query'),
  "a query's words and names": (text) => queryWords(`is ${text}`),
  'what is counted of a query': (text) => normalizeQuery(text),
  'the check of a review': (text) =>
    validate(reviewInput, {
      ...REVIEW,
      text,
      url: text,
      language: text,
      occurred_at: text,
      metadata: { [text]: text },
    }),
  'the check of a web address': (text) => validate(reviewInput, { ...REVIEW, text: 'a', url: `https://${text}` }),
  'the check of a query': (text) => parseQueryBody({ q: text, filters: { since: text, source: text } }),
  'a date with a long fraction': (text) => parseDateOrDateTime(`2026-01-01T00:00:00.${text}`),
  'the configuration of a language': (text) => textSearchConfig(text),
  "a page's query": (text) =>
    deriveQuery({ h1: [text], title: `a${text}b`, description: [text], site: [text] }, [text]),
  'the surroundings of an excerpt': (text) => passageAround(text, text.length >> 1, (text.length >> 1) + 1, 600),
}

for (const [name, work] of Object.entries(WORK)) {
  test(name, async () => assert.equal(await findSuperlinear(work), []))
}

test('the list can tell: a pattern that looks ahead over white space is found', async () => {
  const spaces = texts.filter(([name]) => name.startsWith('a" " × n'))
  // Four times, since on a free processor once takes hardly longer than what is harmless.
  const work = (text: string) => [1, 2, 3, 4].map(() => text.match(/\s+(?=[-–—]\s)/gu))
  assert.ok((await findSuperlinear(work, spaces)).length > 0)
})

test.run()
