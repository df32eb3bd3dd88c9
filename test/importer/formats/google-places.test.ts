import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { prepare, reviewsOf } from '../prepared.ts'

const test = suite('a saved response of the Google Places API (New)')

const place = {
  id: 'place-1',
  displayName: { text: 'Probe Café', languageCode: 'en' },
  reviews: [
    {
      name: 'places/place-1/reviews/one',
      relativePublishTimeDescription: 'a month ago',
      rating: 4,
      text: { text: 'The soup was warm.', languageCode: 'en' },
      originalText: { text: 'Die Suppe war warm.', languageCode: 'de' },
      authorAttribution: { displayName: 'Ola N.', uri: 'https://example.org/a', photoUri: 'https://example.org/p.png' },
      publishTime: '2026-01-05T10:00:00Z',
    },
  ],
}

test('its reviews keep their id, source and language, and the words as they were written', async () => {
  for (const response of [place, { places: [place] }]) {
    const [review, ...others] = await reviewsOf(JSON.stringify(response))
    assert.is(others.length, 0)
    assert.equal(
      [review?.external_id, review?.source, review?.language, review?.text, review?.author_name, review?.rating],
      ['places/place-1/reviews/one', 'google', 'de', 'Die Suppe war warm.', 'Ola N.', 4],
    )
    assert.is(review?.occurred_at.toISOString(), '2026-01-05T10:00:00.000Z')
  }
})

test('the older API: Google is the source, and a text that it translated is told', async () => {
  const review = (number: number, translated: boolean) => ({
    author_name: `Ola ${number}`,
    author_url: 'https://example.org/a',
    language: 'en',
    original_language: translated ? 'de' : 'en',
    profile_photo_url: 'https://example.org/p.png',
    rating: 4,
    relative_time_description: 'a month ago',
    text: `The soup was warm, ${number}.`,
    time: 1767607200,
    translated,
  })
  const answer = (...reviews: unknown[]) =>
    prepare(JSON.stringify({ html_attributions: [], result: { name: 'Probe Café', reviews }, status: 'OK' }))
  const { rows, warnings } = await answer(review(1, false), review(2, true))
  assert.equal(
    rows.map(({ review: { source, text, author_name, occurred_at } }) => [
      source,
      text,
      author_name,
      occurred_at.getTime(),
    ]),
    [1, 2].map((number) => ['google', `The soup was warm, ${number}.`, `Ola ${number}`, 1767607200000]),
  )
  assert.match(warnings.map(({ message }) => message).join(), /"translated" says that some texts are translations/)
  assert.equal((await answer(review(1, false))).warnings, [])
})

test.run()
