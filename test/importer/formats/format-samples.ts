/** The sample file of each format, and the rows that are read of it. */

export interface Expected {
  file: string
  profile: string
  /** External id, source, rating, author, date, of each imported row. */
  rows: [string, string, number | null, string, string][]
  skipped?: string[]
  /** Authors of the rows that are imported as hidden. */
  hidden?: string[]
}
export const H = /^h1-[0-9a-f]{64}$/
export const SAMPLES: Expected[] = [
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
  {
    file: 'google-product-reviews.xml',
    profile: 'google-product-reviews',
    rows: [
      ['made-up-7001', 'custom', 5, 'Signe H.', '2026-02-11T17:20:05.000Z'],
      ['made-up-7002', 'custom', 3, 'Anonymous', '2026-03-02T07:00:00.000Z'],
    ],
    skipped: ['spam'],
  },
  {
    file: 'wordpress-export.xml',
    profile: 'wordpress',
    rows: [
      ['wordpress-31', 'custom', 5, 'Petra Vogt', '2026-01-05T09:00:00.000Z'],
      ['wordpress-40', 'custom', 3, 'Luc', '2026-02-01T12:30:00.000Z'],
    ],
    skipped: ['not_a_review'],
    hidden: ['Luc'],
  },
  {
    file: 'webflow.csv',
    profile: 'webflow',
    rows: [
      ['65b0made0up0item0000001', 'custom', 5, 'Lena F.', '2026-01-05T10:00:00.000Z'],
      ['65b0made0up0item0000002', 'custom', 3, 'Omar', '2026-01-07T15:30:00.000Z'],
    ],
    hidden: ['Omar'],
  },
]
