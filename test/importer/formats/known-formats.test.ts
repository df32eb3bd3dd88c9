import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { formatNamed, IMPORT_FORMATS } from '../../../src/importer/formats/known-formats.ts'
import { suite } from '../../suite.ts'
import { prepare, refusalOf, reviewOf, reviewsOf } from '../prepared.ts'

const test = suite('profiles')

const samples = join(import.meta.dirname, '../../../templates/import/samples')
const sample = (name: string) => readFileSync(join(samples, name))

interface Expected {
  file: string
  profile: string
  /** External id, source, rating, author, date, of each imported row. */
  rows: [string, string, number | null, string, string][]
  skipped?: string[]
  /** Authors of the rows that are imported as hidden. */
  hidden?: string[]
}

const H = /^h1-[0-9a-f]{64}$/
const SAMPLES: Expected[] = [
  {
    file: 'google-takeout.json',
    profile: 'google-takeout',
    rows: [
      [
        'accounts/100000000000000000001/locations/2000000000000000001/reviews/AbFvOqmade-up-0001',
        'google',
        5,
        'Ida Lindqvist',
        '2025-10-21T19:40:30.903Z',
      ],
      [
        'accounts/100000000000000000001/locations/2000000000000000001/reviews/AbFvOqmade-up-0003',
        'google',
        3,
        'Jürgen Bach',
        '2025-11-08T14:00:00.500Z',
      ],
    ],
    skipped: ['rating_only'],
  },
  {
    file: 'google-business-profile.csv',
    profile: 'google-csv',
    rows: [
      ['#', 'google', 5, 'Nadia Frost', '2026-02-01T00:00:00.000Z'],
      ['#', 'google', 4, 'Leo Marchetti', '2026-02-03T00:00:00.000Z'],
    ],
    skipped: ['rating_only'],
  },
  {
    file: 'booking.csv',
    profile: 'booking',
    rows: [
      ['#', 'custom', 5, 'Anneke', '2026-01-05T10:22:11.000Z'],
      ['#', 'custom', 4, 'Bertil', '2026-01-07T09:12:00.000Z'],
      ['#', 'custom', 2, 'Dario', '2026-02-01T08:00:00.000Z'],
    ],
    skipped: ['rating_only'],
  },
  {
    file: 'google-apify.json',
    profile: 'apify',
    rows: [['ChZmade-up-apify-1', 'google', 5, 'Ruth Adeyemi', '2026-03-04T12:00:00.000Z']],
    skipped: ['rating_only'],
  },
  {
    file: 'google-outscraper.csv',
    profile: 'outscraper',
    rows: [
      ['Outmade-up-1', 'google', 5, 'Wes Calloway', '2026-03-09T08:15:00.000Z'],
      ['Outmade-up-2', 'google', 2, 'Inés Duarte', '2026-03-10T17:05:00.000Z'],
    ],
  },
  {
    file: 'yelp-dataset.jsonl',
    profile: 'yelp-dataset',
    rows: [
      ['ydmadeup0000000000001a', 'yelp', 3, 'Anonymous', '2018-07-07T22:09:11.000Z'],
      ['ydmadeup0000000000002b', 'yelp', 5, 'Anonymous', '2018-08-01T19:30:00.000Z'],
    ],
  },
  {
    file: 'yelp-fusion.json',
    profile: 'yelp-fusion',
    rows: [['yfmadeup-1', 'yelp', 5, 'Mona B.', '2026-04-18T19:32:11.000Z']],
  },
  {
    file: 'yelp.csv',
    profile: 'yelp-csv',
    rows: [
      ['ycmadeup-1', 'yelp', 4, 'Dana K.', '2026-01-15T00:00:00.000Z'],
      ['ycmadeup-2', 'yelp', 5, 'Olu F.', '2026-01-20T00:00:00.000Z'],
    ],
  },
  {
    file: 'trustpilot.csv',
    profile: 'trustpilot',
    rows: [
      ['tpmadeup000000000000001', 'trustpilot', 5, 'Hanna Vos', '2026-01-02T10:00:00.000Z'],
      ['tpmadeup000000000000002', 'trustpilot', 3, 'Rui', '2026-01-04T21:15:09.000Z'],
    ],
    skipped: ['rating_only'],
  },
  {
    file: 'trustpilot-products.csv',
    profile: 'trustpilot-products',
    rows: [
      ['tppmadeup-1', 'trustpilot', 5, 'Ben', '2026-02-11T09:00:00.000Z'],
      ['tppmadeup-2', 'trustpilot', 2, 'Aiko', '2026-02-12T09:00:00.000Z'],
    ],
  },
  {
    file: 'podium.json',
    profile: 'podium',
    rows: [
      ['podium-made-up-1', 'custom', 5, 'Gwen Talbot', '2026-05-01T15:00:00.000Z'],
      ['podium-made-up-2', 'custom', 5, 'Marlon', '2026-05-02T15:00:00.000Z'],
    ],
  },
  {
    file: 'facebook.json',
    profile: 'facebook',
    rows: [
      ['#', 'facebook', 5, 'Petra Novak', '2026-07-01T11:00:00.000Z'],
      ['#', 'facebook', 1, 'Anders H.', '2026-07-03T18:30:00.000Z'],
    ],
  },
  {
    file: 'judgeme.csv',
    profile: 'judgeme',
    rows: [
      ['#', 'custom', 5, 'Lena', '2025-03-02T10:12:00.000Z'],
      ['#', 'custom', 3, 'Omar', '2025-03-04T10:12:00.000Z'],
    ],
    skipped: ['spam'],
  },
  {
    file: 'shopify.csv',
    profile: 'shopify',
    rows: [
      ['#', 'custom', 5, 'Lena', '2025-03-02T10:12:00.000Z'],
      ['#', 'custom', 1, 'Greg', '2025-03-05T10:12:00.000Z'],
    ],
    hidden: ['Greg'],
  },
  {
    file: 'okendo.csv',
    profile: 'okendo',
    rows: [
      ['okd-101', 'custom', 5, 'Lena', '2026-02-03T09:15:00.000Z'],
      ['okd-102', 'custom', 2, 'Omar', '2026-02-05T18:40:00.000Z'],
    ],
    skipped: ['rating_only'],
    hidden: ['Omar'],
  },
  {
    file: 'loox.csv',
    profile: 'loox',
    rows: [
      ['lx-1', 'custom', 5, 'Ines', '2026-01-12T08:30:00.000Z'],
      ['lx-2', 'custom', 1, 'Tom Hale', '2026-01-14T19:05:00.000Z'],
    ],
    hidden: ['Tom Hale'],
  },
  {
    file: 'powerreviews.csv',
    profile: 'powerreviews',
    rows: [
      ['pr-9001', 'custom', 5, 'Siri', '2026-01-18T00:00:00.000Z'],
      ['pr-9002', 'custom', 2, 'Moira', '2026-01-21T00:00:00.000Z'],
    ],
    hidden: ['Moira'],
  },
  {
    file: 'site-reviews.csv',
    profile: 'site-reviews',
    rows: [
      ['501', 'custom', 5, 'Femke', '2026-03-01T10:20:00.000Z'],
      ['502', 'custom', null, 'Piet', '2026-03-02T15:00:00.000Z'],
      ['503', 'custom', 1, 'Wim', '2026-03-04T08:00:00.000Z'],
    ],
    hidden: ['Wim'],
  },
  {
    file: 'yotpo.csv',
    profile: 'yotpo',
    rows: [
      ['#', 'custom', 5, 'Anna', '2025-12-25T00:00:00.000Z'],
      ['#', 'custom', 4, 'Jonas', '2026-02-03T00:00:00.000Z'],
    ],
  },
  {
    file: 'multi-source.csv',
    profile: 'multi-source',
    rows: [
      ['S-1', 'google', 5, 'Joan Pryce', '2026-01-06T09:05:00.000Z'],
      ['S-2', 'facebook', 2, 'Dev Anand', '2026-01-07T18:40:00.000Z'],
      ['S-3', 'custom', 4, 'Carla', '2026-01-08T00:00:00.000Z'],
    ],
  },
]

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
  assert.throws(() => formatNamed('nonsense'), /^There is no format "nonsense"\. There are: /)
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
