/** `places search` and `places import` against a server that answers as the Places API (New) is documented to. */
import * as assert from 'uvu/assert'
import { openService, type TestService } from '../http/service.ts'
import { openTransport, type Transport } from '../http/transport.ts'
import { suite } from '../suite.ts'
import { type Canned, type Seen, startFakeServer } from './fake-server.ts'
import { newHome, runCli } from './run-cli.ts'

const test = suite('pullquote places')
const home = newHome()
let service: TestService
let server: Transport
let key: string

test.before(async () => {
  service = await openService()
  server = await openTransport('socket', service.deps)
  key = service.keys.secret
})
test.after(async () => {
  await server.close()
  await service.close()
})

const PLACE = 'ChIJmadeUpPlace'
const review = (id: string, change: object = {}) => ({
  name: `places/${PLACE}/reviews/${id}`,
  relativePublishTimeDescription: 'a month ago',
  rating: 5,
  text: { text: `Warm bread, number ${id}.`, languageCode: 'en' },
  originalText: { text: `Warm bread, number ${id}.`, languageCode: 'en' },
  authorAttribution: {
    displayName: 'Jo',
    uri: 'https://www.example.com/maps/contrib/1',
    photoUri: 'https://www.example.com/photo.png',
  },
  publishTime: '2026-01-05T10:00:00.123456789Z',
  googleMapsUri: `https://www.example.com/maps/reviews/${id}`,
  ...change,
})
const details = (reviews: object[]) => ({
  id: PLACE,
  displayName: { text: 'Lantern Bakery', languageCode: 'en' },
  reviews,
})

async function places(args: string[], answer: (request: Seen) => Canned, env: Record<string, string> = {}) {
  const fake = await startFakeServer(answer)
  try {
    const result = await runCli(home, ['places', ...args], {
      env: {
        PULLQUOTE_PLACES_KEY: 'places-key',
        PULLQUOTE_PLACES_URL: fake.url,
        PULLQUOTE_KEY: key,
        PULLQUOTE_URL: server.url,
        ...env,
      },
    })
    return { ...result, seen: fake.seen }
  } finally {
    await fake.close()
  }
}
const refusal = (status: number, code: string, message: string): Canned => ({
  status,
  body: { error: { code: status, message, status: code } },
})

test('a search sends text, key and field mask, and lists what is found', async () => {
  const found = {
    places: [
      {
        id: PLACE,
        displayName: { text: 'Lantern \u001b[2JBakery' },
        formattedAddress: '1 Quay, Leeds',
        rating: 4.6,
        userRatingCount: 212,
      },
    ],
  }
  const { code, stdout, seen } = await places(['search', 'lantern bakery'], () => ({ body: found }))
  assert.is(code, 0)
  assert.match(stdout, /ChIJmadeUpPlace {2}Lantern \[2JBakery, 1 Quay, Leeds {2}\(4\.6 stars of 212 ratings\)/)
  assert.equal([seen[0]?.method, seen[0]?.path], ['POST', '/v1/places:searchText'])
  assert.equal(seen[0]?.body, { textQuery: 'lantern bakery', pageSize: 10 })
  assert.is(seen[0]?.headers['x-goog-api-key'], 'places-key')
  assert.match(String(seen[0]?.headers['x-goog-fieldmask']), /places\.id/)
})

test('nothing found is no error', async () => {
  const { code, stdout } = await places(['search', 'nowhere', '--json'], () => ({ body: {} }))
  assert.is(code, 0)
  assert.equal(JSON.parse(stdout), { places: [] })
})

test('at most five reviews are imported, stars without text counted, and again they are updated', async () => {
  const translated = review('t', {
    text: { text: 'Good cake.', languageCode: 'en' },
    originalText: { text: 'Guter Kuchen.', languageCode: 'de' },
  })
  const { text, originalText, ...stars } = review('s')
  const shared = [review('1'), translated, stars, review('4'), review('5'), review('6')]
  const first = await places(['import', PLACE, '--json'], () => ({ body: details(shared) }))
  assert.is(first.code, 0, first.stderr)
  assert.is(first.seen[0]?.path, `/v1/places/${PLACE}`)
  const answer = JSON.parse(first.stdout)
  assert.equal([answer.inserted, answer.updated, answer.skipped, answer.reasons], [4, 0, 1, { rating_only: 1 }])

  const listed = await runCli(home, ['reviews', 'list', '--json'], {
    env: { PULLQUOTE_KEY: key, PULLQUOTE_URL: server.url },
  })
  const { reviews } = JSON.parse(listed.stdout)
  const german = reviews.find((one: { language: string }) => one.language === 'de')
  assert.equal(german.metadata, { place_id: PLACE, place_name: 'Lantern Bakery', translation: 'Good cake.' })
  assert.equal([german.source, german.text, german.author_name, german.rating], ['google', 'Guter Kuchen.', 'Jo', 5])
  assert.is(german.external_id, `places/${PLACE}/reviews/t`)
  assert.is(german.url, 'https://www.example.com/maps/reviews/t')

  const changed = [review('1', { rating: 3 }), translated]
  const again = JSON.parse((await places(['import', PLACE, '--json'], () => ({ body: details(changed) }))).stdout)
  assert.equal([again.inserted, again.updated, again.unchanged], [0, 2, 1])
})

test('a place without reviews imports nothing', async () => {
  const { code, stdout } = await places(['import', PLACE], () => ({ body: { id: PLACE } }))
  assert.is(code, 0)
  assert.match(stdout, /0 inserted, 0 updated/)
})

test('refusals say what to do: key, quota, place, another server', async () => {
  const cases: [Canned, number, RegExp][] = [
    [
      refusal(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.'),
      4,
      /refused .*API key not valid.*PULLQUOTE_PLACES_KEY/s,
    ],
    [
      refusal(403, 'PERMISSION_DENIED', 'Places API (New) has not been used in project 1.'),
      4,
      /has not been used.*enabled/s,
    ],
    [refusal(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded.'), 1, /quota .*used up.*Quota exceeded/s],
    [refusal(404, 'NOT_FOUND', 'The place ID is no longer valid.'), 1, /no such place.*places search/s],
    [{ status: 200, body: { hello: 'world' } }, 1, /is not the Places API/],
    [{ status: 500, body: {} }, 1, /answered 500/],
  ]
  for (const [answer, exit, message] of cases) {
    const { code, stderr } = await places(['import', PLACE], () => answer)
    assert.is(code, exit, stderr)
    assert.match(stderr, message)
    assert.not.ok(stderr.includes('places-key'))
  }
})

test('without a key nothing is asked', async () => {
  const { code, stderr, seen } = await places(['search', 'x'], () => ({ body: {} }), { PULLQUOTE_PLACES_KEY: '' })
  assert.is(code, 4)
  assert.match(stderr, /PULLQUOTE_PLACES_KEY/)
  assert.equal(seen, [])
})

test('no answer at all is told as such', async () => {
  const { code, stderr } = await places(['search', 'x'], () => ({ body: {} }), {
    PULLQUOTE_PLACES_URL: 'http://127.0.0.1:9',
  })
  assert.is(code, 1)
  assert.match(stderr, /does not answer/)
})

test.run()
