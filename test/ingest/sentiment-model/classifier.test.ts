import * as assert from 'uvu/assert'
import type { Sentiment } from '../../../server/ingest/sentiment.ts'
import { createSentimentClassifier } from '../../../server/ingest/sentiment-model/classifier.ts'
import { suite } from '../../suite.ts'

const test = suite('sentiment classifier')
const classify = createSentimentClassifier()

const JUDGED: Record<Sentiment, string[]> = {
  positive: [
    'Great place, friendly people and wonderful food.',
    'Not bad at all!',
    'No complaints, everything worked.',
    'We have never had a bad meal here.',
    'You will not be disappointed.',
    'We were not disappointed.',
    'The mattress has never felt better.',
    '👍',
    'The room was not expensive and spotless too.',
    'Delivered the next day, works perfectly.',
    'Ich weiß nicht, but it was amazing 😀',
  ],
  negative: [
    'Terrible service and cold food.',
    'I would not go back.',
    'Not good.',
    'The staff were not friendly and the room was not clean.',
    'Never again.',
    "Don't waste your money.",
    'It stopped working after two days and nobody answered.',
    'Nothing worked, there was no hot water.',
    'We waited an hour and left hungry.',
    'We were so disappointed.',
    'Too many complaints to list.',
    '👎',
  ],
  neutral: ['', '...', 'It was okay, nothing special.', 'Average.', 'Neither good nor bad.'],
}

for (const [expected, texts] of Object.entries(JUDGED)) {
  test(`tells what is ${expected}`, () => {
    const wrong = texts.filter((text) => classify(text) !== expected)
    assert.equal(wrong, [])
  })
}

test('the verdict does not depend on what was classified before', () => {
  const texts = Object.values(JUDGED).flat()
  const once = texts.map(classify)
  assert.equal([...texts].reverse().map(classify).reverse(), once)
})

test('a review far longer than 400 words is judged by its beginning', () => {
  assert.is(classify(`${'Lovely room, kind staff. '.repeat(200)}Awful.`), 'positive')
})

test.run()
