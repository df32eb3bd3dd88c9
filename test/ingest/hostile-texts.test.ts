import * as assert from 'uvu/assert'
import { createBuiltinEmbedder } from '../../server/embed/builtin/embedder.ts'
import { Tokenizer } from '../../server/embed/builtin/tokenizer.ts'
import { chunk } from '../../server/ingest/chunk.ts'
import { createSentimentClassifier } from '../../server/ingest/sentiment-model/classifier.ts'
import { countable } from '../../server/search/insights.ts'
import { textSearchConfig } from '../../server/search/text-config.ts'
import { queryWords } from '../../server/search/words.ts'
import { deriveQuery } from '../../snippet/derive-query.ts'
import { passageAround } from '../../snippet/passage.ts'
import { REVIEW_TEXT_LENGTH } from '../../src/contract/limits.ts'
import { parseQueryBody } from '../../src/contract/query.ts'
import { reviewInput } from '../../src/contract/review.ts'
import { parseDateOrDateTime } from '../../src/contract/timestamp.ts'
import { validate } from '../../src/contract/validate.ts'
import { suite } from '../suite.ts'
import { hostileTexts } from './hostile-texts.ts'

const test = suite('work on hostile texts grows with their length')

const GROWTH = 4
/** Four times the text: 4 is linear, 16 quadratic. */
const MOST_GROWTH = 10
/** Milliseconds of this process's own time below which growth cannot be told from noise, and does no harm. */
const HARMLESS = 400

const ofLongest = [...hostileTexts(REVIEW_TEXT_LENGTH)]
const ofQuarter = hostileTexts(REVIEW_TEXT_LENGTH / GROWTH)

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

async function findSuperlinear(work: (text: string) => unknown): Promise<string[]> {
  const found: string[] = []
  for (const [name, text] of ofLongest) {
    const quarter = ofQuarter.get(name) ?? ''
    // Cubic growth from here would be harmless still.
    if ((await milliseconds(() => work(quarter))) < HARMLESS / GROWTH ** 3) continue
    if ((await milliseconds(() => work(text))) < HARMLESS) continue
    const long = await fastest(3, () => work(text))
    const short = await fastest(3, () => work(quarter))
    if (long < HARMLESS || long < short * MOST_GROWTH) continue
    found.push(`${name}: ${short.toFixed(0)} ms for ${quarter.length} units, ${long.toFixed(0)} ms for ${text.length}`)
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
  'what is counted of a query': (text) => countable(text),
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
  "a page's query": (text) => deriveQuery({ h1: text, title: `a${text}b`, description: text, site: text }),
  'the surroundings of an excerpt': (text) => passageAround(text, text.length >> 1, (text.length >> 1) + 1, 600),
}

for (const [name, work] of Object.entries(WORK)) {
  test(name, async () => assert.equal(await findSuperlinear(work), []))
}

test('the list can tell: a pattern that looks ahead over white space is found', async () => {
  const spaces = ofLongest.filter(([name]) => name.startsWith('a" " × n'))
  assert.is(spaces.length, 1)
  const found = await findSuperlinear((text) => {
    for (let i = 0; i < 8 && /^a +b$/.test(text); i++) text.match(/\s+(?=[-–—]\s)/gu)
  })
  assert.is(found.length, 1)
})

test.run()
