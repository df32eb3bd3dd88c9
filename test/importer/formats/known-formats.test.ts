import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { findFormat } from '../../../src/importer/formats/detect-format.ts'
import { IMPORT_FORMATS } from '../../../src/importer/formats/known-formats.ts'
import { suite } from '../../suite.ts'
import { prepare, refusalOf, reviewOf, reviewsOf } from '../prepared.ts'
import { H, SAMPLES } from './format-samples.ts'

const test = suite('profiles')

const samples = join(import.meta.dirname, '../../../templates/import/samples')
const sample = (name: string) => readFileSync(join(samples, name))

for (const { file, profile, rows, skipped = [], hidden = [] } of SAMPLES) {
  test(`${file} is known as ${profile} and read whole`, async () => {
    const prepared = await prepare(sample(file), {}, file)
    assert.is(prepared.tables[0]?.plan.format.name, profile)
    const key = (id: string) => (H.test(id) ? '#' : id)
    const read = prepared.rows.map(({ review }) => [
      key(review.external_id),
      review.source,
      review.rating,
      review.author_name,
      review.occurred_at.toISOString(),
    ])
    assert.equal([...read].sort(), [...rows].sort())
    assert.equal(
      prepared.skipped.map((row) => row.reason),
      skipped,
    )
    assert.equal(
      prepared.rows.filter((row) => row.hidden).map((row) => row.review.author_name),
      hidden,
    )
  })
}

test('every sample is in this list', () => {
  assert.equal(readdirSync(samples).sort(), SAMPLES.map(({ file }) => file).sort())
})

test('an errors.csv of a JSON export is known as the same format by its dotted columns', async () => {
  const csv = 'starRating,comment,createTime,name,reviewer.displayName\nFIVE,Good,2026-01-05T10:00:00Z,accounts/1,Ana\n'
  const prepared = await prepare(csv)
  assert.is(prepared.tables[0]?.plan.format.name, 'google-takeout')
  assert.is(prepared.rows[0]?.review.author_name, 'Ana')
})

test('column order and the spelling of headers do not matter', async () => {
  const review = await reviewOf(
    'review content,REVIEW STARS,Review ID,Domain URL,Business Reply Date (UTC),Review Username,review created (utc)\nFine.,4,x-1,d,,Jo,2026-01-02 10:00:00\n',
  )
  assert.is(review.source, 'trustpilot')
  assert.is(review.external_id, 'x-1')
})

test('reviews that the account owner wrote are refused with an explanation, and imported by force', async () => {
  const geo = JSON.stringify({
    type: 'FeatureCollection',
    features: [
      {
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [0, 0] },
        properties: {
          date: '2025-04-01T10:00:00Z',
          five_star_rating_published: 4,
          google_maps_url: 'https://www.example.com/maps/place',
          location: { name: 'Some Museum', address: 'Somewhere 1' },
          review_text_published: 'Quiet on weekdays.',
        },
      },
    ],
  })
  assert.is(await refusalOf(() => prepare(geo)), 'own_reviews')
  const review = await reviewOf(geo, { force: true })
  assert.equal(review.metadata, { place_name: 'Some Museum' })
  assert.is(review.rating, 4)
  const old = geo
    .replace('five_star_rating_published', 'Star Rating')
    .replace('review_text_published', 'Review Comment')
    .replace('google_maps_url', 'Google Maps URL')
    .replace('"date"', '"Published"')
  assert.is(await refusalOf(() => prepare(old)), 'own_reviews')
})

test('what somebody wrote about films and books is refused; by force a film is no author', async () => {
  const exports = {
    letterboxd:
      'Date,Name,Year,Letterboxd URI,Rating,Rewatch,Review,Tags,Watched Date\n2026-01-06,The Pier,2021,https://example.org/f,3.5,,Slow but kind.,,2026-01-05\n',
    goodreads:
      'Book Id,Title,Author,Author l-f,My Rating,Publisher,Date Read,Date Added,Exclusive Shelf,My Review\n7,The Pier,Ann Bell,"Bell, Ann",4,Pier Press,2026/01/05,2025/12/20,read,Slow but kind.\n',
    storygraph:
      'Title,Authors,ISBN/UID,Read Status,Date Added,Last Date Read,Star Rating,Review\nThe Pier,Ann Bell,978,read,2025/12/20,2026/01/05,3.75,Slow but kind.\n',
  }
  for (const [site, csv] of Object.entries(exports)) {
    assert.is(await refusalOf(() => prepare(csv)), 'own_reviews', site)
    const { text, author_name, rating, metadata, occurred_at } = await reviewOf(csv, { force: true })
    assert.equal([text, author_name, rating, metadata], ['Slow but kind.', 'Anonymous', 4, { title: 'The Pier' }], site)
    assert.is(occurred_at.toISOString().slice(0, 10), '2026-01-05', site)
  }
})

test("Judge.me's source column names no platform", async () => {
  const reviews = await reviewsOf(sample('judgeme.csv'))
  assert.ok(reviews.every((review) => review.source === 'custom' && !('source_name' in (review.metadata ?? {}))))
})

test('Trustpilot keeps the title apart and drops the e-mail even from all metadata', async () => {
  const [first] = await reviewsOf(sample('trustpilot.csv'), { metadata: 'all' })
  assert.is(first?.metadata?.title, 'Fast and careful')
  assert.is(first?.metadata?.webshop_name, 'Lantern')
  assert.not.ok(JSON.stringify(first).includes('mail.example'))
  const [named] = await reviewsOf(sample('trustpilot.csv'), { metadata: ['Review User Email'] })
  assert.equal(named?.metadata, { review_user_email: 'hanna@mail.example' })
})

test('a profile can be chosen, and an unknown one is refused by listing all', async () => {
  const prepared = await prepare(sample('trustpilot.csv'), { profile: 'generic' })
  assert.is(prepared.tables[0]?.plan.format.name, 'generic')
  assert.is(prepared.rows[0]?.review.source, 'custom')
  assert.is(await refusalOf(() => prepare('date,text\n1,2', { profile: 'nonsense' })), 'unknown_profile')
  assert.throws(() => findFormat('nonsense'), /^There is no format "nonsense"\. The formats are: /)
})

test('each detection is explained by the columns that decided it', async () => {
  const prepared = await prepare(sample('trustpilot.csv'))
  assert.match(prepared.tables[0]?.plan.reason ?? '', /Review Content/)
  const multi = await prepare(sample('multi-source.csv'))
  assert.match(multi.tables[0]?.plan.reason ?? '', /Social Media Source/)
})

test('the names of the profiles are different', () => {
  assert.is(new Set(IMPORT_FORMATS.map((profile) => profile.name)).size, IMPORT_FORMATS.length)
})

test("Booking's scores are of ten, and what was liked and what was not are one text", async () => {
  const prepared = await prepare(sample('booking.csv'))
  assert.equal(
    prepared.rows.map(({ review }) => review.text),
    [
      'Lovely staff and a quiet room.',
      'Good breakfast.\n\nThe lift was broken for two days.',
      'Noisy street and no hot water.',
    ],
  )
  assert.equal(prepared.rows[0]?.review.metadata, { title: 'Exceptional' })
  assert.not.ok(JSON.stringify(prepared.rows).includes('1000000001'), "a reservation's number goes nowhere")
  assert.equal(prepared.warnings, [])
})

test.run()
