import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { prepare, refusalOf, reviewsOf } from '../prepared.ts'
import { read } from './read-rows.ts'

const test = suite('formats of review platforms and app stores')

test("Google Play's API: the user's comment, never the developer's", async () => {
  const lastModified = { seconds: '1767607200', nanos: 0 }
  const review = {
    reviewId: 'gp:1',
    authorName: 'Ann',
    comments: [
      { userComment: { text: 'Works.', lastModified, starRating: 4, reviewerLanguage: 'en' } },
      { developerComment: { text: 'Thank you', lastModified: { seconds: '1767780000' } } },
    ],
  }
  const { format, rows } = await read(JSON.stringify({ reviews: [review] }))
  assert.is(format, 'google-play-api')
  assert.equal(rows, [[false, 'Works.', 4, 'Ann', 'gp:1', '2026-01-05T10:00']])
})

test("Kiyoh: scores of ten, the customer's two answers, and not the owner's", async () => {
  const review = {
    reviewId: 'k1',
    reviewAuthor: 'Ann',
    rating: 4,
    reviewContent: [
      { questionGroup: 'DEFAULT_OVERALL', questionType: 'INT', rating: 4 },
      { questionGroup: 'DEFAULT_ONELINER', questionType: 'TEXT', rating: 'Cold bread' },
      { questionGroup: 'DEFAULT_OPINION', questionType: 'TEXT', rating: 'And late.' },
    ],
    reviewComments: 'Sorry, call us',
    dateSince: '2026-01-06T10:00:00.000+01:00',
    updatedSince: '2026-01-09T10:00:00.000+01:00',
  }
  const { format, rows } = await read(JSON.stringify({ locationId: '1', reviews: [review] }))
  assert.is(format, 'kiyoh')
  assert.equal(rows, [[false, 'Cold bread\n\nAnd late.', 2, 'Ann', 'k1', '2026-01-06T09:00']])
})

test('Feefo: the review of the service, its state, and a word about those of products', async () => {
  const review = (id: string, state: string) => ({
    url: 'https://www.feefo.com/reviews/x',
    customer: { display_name: 'Ann' },
    service: {
      id,
      rating: { min: 1, max: 5, rating: 5 },
      review: 'Quick.',
      created_at: '2026-01-05T10:00:00.000Z',
      moderation_status: state,
    },
    products: [{ id: 'p', rating: { rating: 1 }, review: 'Stale.', moderation_status: 'published' }],
  })
  const { format, rows, warnings } = await read(
    JSON.stringify({ summary: {}, reviews: [review('s1', 'published'), review('s2', 'unpublished')] }),
  )
  assert.is(format, 'feefo')
  assert.equal(rows, [
    [false, 'Quick.', 5, 'Ann', 's1', '2026-01-05T10:00'],
    [true, 'Quick.', 5, 'Ann', 's2', '2026-01-05T10:00'],
  ])
  assert.ok(warnings.some(({ message }) => /product reviews .* left out/.test(message)))
})

test('Reviews.io: those of the shop and of products, each with its own text', async () => {
  const date = { date_created: '2026-01-05 10:00:00' }
  const shop = { ...date, type: 'store_review', store_review_id: 1, rating: 5, comments: 'Quick.', author: 'Ann' }
  const product = { ...date, type: 'product_review', product_review_id: 2, rating: 2, review: 'Small.' }
  const { format, rows } = await read(
    JSON.stringify({ reviews: [shop, { ...product, reviewer: { first_name: 'Ben' } }] }),
  )
  assert.is(format, 'reviews-io')
  assert.equal(rows, [
    [false, 'Quick.', 5, 'Ann', '1', '2026-01-05T10:00'],
    [false, 'Small.', 2, 'Ben', '2', '2026-01-05T10:00'],
  ])
})

test("Apify's reviews of Facebook: recommendations are five stars or one", async () => {
  const review = (id: string, isRecommended: boolean) => ({
    facebookUrl: 'https://www.facebook.com/lantern',
    id,
    user: { id: 'u1', name: 'Ann', profileUrl: 'https://www.facebook.com/ann', profilePic: 'https://x.example/a.jpg' },
    date: '2026-01-05T10:00:00.000Z',
    url: `https://www.facebook.com/${id}`,
    isRecommended,
    text: isRecommended ? 'Warm bread.' : 'Cold tea.',
    likesCount: 1,
    pageName: 'lantern',
  })
  const { format, rows } = await read(JSON.stringify([review('r1', true), review('r2', false)]))
  assert.is(format, 'facebook-apify')
  assert.equal(rows, [
    [false, 'Warm bread.', 5, 'Ann', 'r1', '2026-01-05T10:00'],
    [false, 'Cold tea.', 1, 'Ann', 'r2', '2026-01-05T10:00'],
  ])
})

test("SerpApi's Google Play reviews have the author in their title", async () => {
  const review = {
    id: 'p1',
    title: 'Ann',
    avatar: 'https://img.example/a',
    rating: 4,
    snippet: 'Never crashed.',
    likes: 3,
    date: 'January 5, 2026',
    iso_date: '2026-01-05T10:00:00Z',
    response: { title: 'The makers', snippet: 'Thank you', date: 'January 6, 2026' },
  }
  const { format, rows } = await read(JSON.stringify({ reviews: [review] }))
  assert.is(format, 'serpapi-google-play')
  assert.equal(rows, [[false, 'Never crashed.', 4, 'Ann', 'p1', '2026-01-05T10:00']])
})

test("Trustpilot's API: its reviews are Trustpilot's, whichever way their authors were invited", async () => {
  const review = (id: string, status: string) => ({
    id,
    consumer: { id: 'c', displayName: 'Ann', numberOfReviews: 2 },
    businessUnit: { id: 'b', displayName: 'Lantern' },
    stars: 4,
    title: 'Warm',
    text: 'Warm bread.',
    language: 'en',
    createdAt: '2026-01-05T10:00:00Z',
    updatedAt: null,
    companyReply: { text: 'Thank you', createdAt: '2026-01-07T10:00:00Z' },
    source: 'InvitationLinkApi',
    status,
  })
  const content = JSON.stringify({ links: [], reviews: [review('t1', 'active'), review('t2', 'reported')] })
  const { format, rows } = await read(content)
  assert.is(format, 'trustpilot-api')
  assert.equal(rows, [
    [false, 'Warm bread.', 4, 'Ann', 't1', '2026-01-05T10:00'],
    [true, 'Warm bread.', 4, 'Ann', 't2', '2026-01-05T10:00'],
  ])
  assert.equal((await reviewsOf(content))[0]?.source, 'trustpilot')
})

test("eBay's feedback is that of buyers, whose role is not the one it names", async () => {
  const detail = (id: string, type: string, role: string, more = '') =>
    `<FeedbackDetail><CommentingUser>a***${id}</CommentingUser><CommentText>Quick and well packed.</CommentText><CommentTime>2026-01-05T10:00:00.000Z</CommentTime>` +
    `<CommentType>${type}</CommentType>${more}<Role>${role}</Role><FeedbackID>${id}</FeedbackID><FeedbackResponse>Thank you, come again</FeedbackResponse></FeedbackDetail>`
  const { format, rows } = await read(
    `<GetFeedbackResponse xmlns="urn:ebay:apis:eBLBaseComponents"><FeedbackDetailArray>${[
      detail('1', 'Positive', 'Seller'),
      detail('2', 'Negative', 'Seller'),
      detail('3', 'Positive', 'Buyer'),
      detail('4', 'Neutral', 'Seller'),
      detail('5', 'Positive', 'Seller', '<CommentReplaced>true</CommentReplaced>'),
    ].join('')}</FeedbackDetailArray></GetFeedbackResponse>`,
  )
  assert.is(format, 'ebay')
  assert.equal(
    rows,
    [
      ['1', 5],
      ['2', 1],
      ['4', 3],
    ].map(([id, stars]) => [false, 'Quick and well packed.', stars, `a***${id}`, id, '2026-01-05T10:00']),
  )
})

test("Trustpilot's pages: the data in them has the reviewer, the day and the reply in objects", async () => {
  const review = {
    id: 't1',
    pending: false,
    text: 'Quick and kind.',
    title: 'Good',
    rating: 4,
    consumer: { id: 'c', displayName: 'Ann' },
    dates: {
      experiencedDate: '2025-12-20T00:00:00.000Z',
      publishedDate: '2026-01-05T10:00:00.000Z',
      updatedDate: null,
    },
    reply: { message: 'Thank you', publishedDate: '2026-01-07T10:00:00.000Z' },
    language: 'en',
  }
  const content = JSON.stringify([review, { ...review, id: 't2', pending: true }])
  const { format, rows } = await read(content)
  assert.is(format, 'trustpilot-api')
  assert.equal(rows, [
    [false, 'Quick and kind.', 4, 'Ann', 't1', '2026-01-05T10:00'],
    [true, 'Quick and kind.', 4, 'Ann', 't2', '2026-01-05T10:00'],
  ])
  assert.is((await reviewsOf(content))[0]?.source, 'trustpilot')
})

test('DataForSEO: what the customer wrote, not what Google made of it', async () => {
  const item = (id: string, original: string | null) => ({
    type: 'google_reviews_search',
    review_text: 'The bread was warm.',
    original_review_text: original,
    timestamp: '2026-01-05 10:00:00 +00:00',
    time_ago: 'a week ago',
    rating: { rating_type: 'Max5', value: 4, rating_max: 5 },
    profile_name: 'Ann',
    review_id: id,
    owner_answer: 'Thank you',
    owner_timestamp: '2026-01-07 10:00:00 +00:00',
  })
  const content = JSON.stringify([item('d1', null), item('d2', 'Das Brot war warm.')])
  const { format, rows } = await read(content)
  assert.is(format, 'dataforseo')
  assert.equal(rows, [
    [false, 'The bread was warm.', 4, 'Ann', 'd1', '2026-01-05T10:00'],
    [false, 'Das Brot war warm.', 4, 'Ann', 'd2', '2026-01-05T10:00'],
  ])
  assert.is((await reviewsOf(content))[0]?.source, 'google')
})

test('reviews by employees are refused, and imported by force', async () => {
  for (const heading of [
    'Advice to Management',
    'adviceToManagement',
    'ceo_approval',
    'employee_status',
    'Work/Life Balance',
    'Schlecht am Arbeitgeber finde ich',
  ]) {
    const csv = `date,rating,pros,cons,${heading}\n2026-01-05,4,Kind colleagues.,Long days.,More breaks\n`
    assert.is(await refusalOf(() => prepare(csv)), 'own_reviews', heading)
    assert.is((await reviewsOf(csv, { force: true }))[0]?.text, 'Kind colleagues.\n\nLong days.')
  }
  for (const by of [
    '"Current Employee, more than 3 years"',
    'Barista (Former Employee) - Leeds',
    'Ancien employé',
    'Ex-funcionário(a)',
    'Funcionário(a) atual',
  ]) {
    const csv = (name: string) => `date,rating,pros,cons,author\n2026-01-05,4,Kind colleagues.,Long days.,${name}\n`
    assert.is(await refusalOf(() => prepare(csv(by))), 'own_reviews', by)
    assert.is((await reviewsOf(`${csv(by)}2026-01-06,5,Warm bread.,Cold tea.,Ann\n`)).length, 2)
  }
  for (const page of [
    'https://www.glassdoor.com/Reviews/Acme-Reviews-E1.htm',
    'https://www.glassdoor.co.uk/Reviews/Acme-Reviews-E1.htm',
    'https://de.indeed.com/cmp/Acme/reviews',
    'https://www.kununu.com/de/acme/kommentare',
  ])
    assert.is(
      await refusalOf(() => prepare(`date,pros,cons,url\n2026-01-05,Kind people.,Long days.,${page}\n`)),
      'own_reviews',
    )
  const elsewhere = 'date,text,url\n2026-01-05,Warm bread.,https://shop.example/kununu.com/\n'
  assert.is((await reviewsOf(elsewhere)).length, 1)
})

test.run()
