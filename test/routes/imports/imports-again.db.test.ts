/** The same reviews imported a second time: from a newer export, and from another one. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import * as assert from 'uvu/assert'
import { serviceOnTransports } from '../../http/service-on-transports.ts'
import type { Sent } from '../../http/transport.ts'
import { suite } from '../../suite.ts'
import { importRequests } from './import-requests.ts'

const sample = (name: string) => readFileSync(join(import.meta.dirname, '../../../templates/import/samples', name))

const test = suite('imports of what is stored already')
const { service, transports } = serviceOnTransports(test, {
  worker: { nudge() {}, state: () => ({ status: 'idle', indexed: 0, failed: 0 }) },
})
const send = (sent: Sent) => transports['app.fetch'].send(sent)
const { upload, imported, stored, freshKey } = importRequests({ service }, send)

test('a newer export hides and shows what its vendor does, and leaves what was decided by hand', async () => {
  const key = await freshKey()
  const export_ = (...states: string[]) =>
    `id,date,text,status\n${states.map((state, row) => `${row},2026-01-05,Text ${row}.,${state}\n`).join('')}`
  const hidden = async () =>
    Object.fromEntries((await stored(key)).map((review) => [review.external_id, review.hidden]))
  await imported(await upload(key, export_('pending', 'published', 'published')))
  assert.equal(await hidden(), { 0: true, 1: false, 2: false })
  const [{ id } = { id: '' }] = (await stored(key)).filter((review) => review.external_id === '2')
  const authorization = `Bearer ${key}`
  const headers = { authorization, 'content-type': 'application/json' }
  await send({ method: 'PATCH', path: `/v1/reviews/${id}`, headers, body: '{"hidden":true}' })
  const again = await imported(await upload(key, export_('published', 'rejected', 'published')))
  assert.equal([again.inserted, again.updated, again.unchanged], [0, 3, 1])
  assert.equal(await hidden(), { 0: false, 1: true, 2: true })
  await imported(await upload(key, export_('', '', '').replaceAll(',status', '').replaceAll('.,', '.')))
  assert.equal(await hidden(), { 0: false, 1: true, 2: true }, 'a file without such a column')
})

test('two exports of the same reviews store them once, in one import and in two', async () => {
  const key = await freshKey()
  const scraped =
    'review_id,author_title,review_text,review_rating,review_datetime_utc\n' +
    'ChZD,Ida Lindqvist,"The sourdough is still warm at seven in the morning, and they remember how I take my coffee.",5,10/21/2025 19:40:30\n' +
    'ChZE,Anonymous,"Nobody can tell whose words these are, so they stay.",5,10/21/2025 19:40:30\n'
  await imported(await upload(key, sample('google-takeout.json')))
  const second = await imported(await upload(key, scraped))
  assert.equal([second.inserted, second.updated, second.unchanged], [1, 1, 1])
  const told = second.warnings.filter(({ code }) => code === 'stored_elsewhere')
  assert.equal(
    told.map(({ count }) => count),
    [1],
  )
  assert.match(told[0]?.message ?? '', /line 2/)
  const both = zipSync({
    'a.json': sample('google-takeout.json'),
    'b.csv': strToU8(scraped.replaceAll('Anonymous', 'Bo')),
  })
  const other = await freshKey()
  const together = await imported(await upload(other, both, '?file_name=both.zip'))
  assert.equal([together.inserted, together.unchanged], [3, 1])
  const force = `?mapping=${encodeURIComponent('{"force":true}')}`
  assert.is((await imported(await upload(key, scraped, force))).inserted, 1)
})

test('what its author edited is one review, whichever export of Google brings the new text', async () => {
  const key = await freshKey()
  const at = '10/21/2025 19:40:30'
  const scraped = (id: string, text: string, time = at) =>
    `review_id,author_title,review_text,review_rating,review_datetime_utc\n${id},Ida Lindqvist,"${text}",5,${time}\n`
  const texts = async () => (await stored(key)).map(({ external_id, text }) => [external_id, text])
  const first = 'The sourdough was cold and the queue was long.'
  const second = 'By now the sourdough is warm, and nobody waits.'
  await imported(await upload(key, scraped('out-1', first)))
  const edited = await imported(await upload(key, scraped('api-1', second)))
  assert.equal([edited.inserted, edited.updated, edited.unchanged], [0, 1, 0])
  assert.equal(await texts(), [['api-1', second]])
  await imported(await upload(key, scraped('out-1', second)))
  await imported(await upload(key, scraped('out-1', `Edited: ${second}`)))
  assert.equal(await texts(), [['out-1', `Edited: ${second}`]], 'and the first one again')
  const others = await imported(await upload(key, scraped('api-2', first, '10/22/2025 19:40:00')))
  assert.is(others.inserted, 1, 'a time to the minute says too little')
  assert.is((await imported(await upload(key, scraped('api-3', second, '10/22/2025 19:40:00')))).inserted, 1)
})

test('what one person writes in a shop at once, and what nobody signs, stays apart in one file after the other', async () => {
  const second = '10/21/2025 19:40:30'
  for (const [why, source, author, time, ...texts] of [
    ['the same few words', 'custom', 'Ida L.', second, 'Great!', 'Great!'],
    ['other words', 'custom', 'Ida L.', second, 'Great!', 'The cup broke.'],
    ['few words of nobody', 'google', '', second, 'Great!', 'Great!'],
    ['other words of nobody', 'google', '', second, 'Great!', 'The cup broke.'],
    ['few words on a day', 'google', 'Ida L.', '10/21/2025', 'Great!', 'Great!'],
  ] as const) {
    const key = await freshKey()
    for (const [place, text] of texts.entries()) {
      const file = `review_id,author_title,review_text,review_rating,review_datetime_utc\nout-${place},${author},${text},5,${time}\n`
      const query = `?mapping=${encodeURIComponent(JSON.stringify({ source }))}`
      assert.is((await imported(await upload(key, file, query))).inserted, 1, `${why}, file ${place}`)
    }
  }
})

test('a column of ids that a newer export has gives the stored reviews their ids, also anonymous and short ones', async () => {
  const key = await freshKey()
  const texts = ['The bread was warm and the staff kind.', 'Great!', 'Great!', 'The soup was cold when it came to us.']
  const rows = texts.map((text, place) => ({ id: `v${place}`, author: place % 2 ? '' : 'Ola N.', text, stars: 5 }))
  const csv = (lines: typeof rows, ids: boolean) =>
    `${ids ? 'Review ID,' : ''}Date,Author,Rating,Review\n${lines.map(({ id, author, text, stars }) => `${ids ? `${id},` : ''}2026-01-05,${author},${stars},"${text}"\n`).join('')}`
  const idsOf = async () => (await stored(key)).map(({ external_id }) => external_id).sort()
  await imported(await upload(key, csv(rows, false)))
  const before = await stored(key)
  const more = [...rows, { id: 'v4', author: '', text: 'Great!', stars: 4 }]
  for (const query of ['?dry_run=true', '']) {
    const named = await imported(await upload(key, csv(more, true), query))
    assert.equal([named.inserted, named.updated, named.unchanged, named.warnings], [1, 4, 4, []], query)
  }
  assert.equal(await idsOf(), ['v0', 'v1', 'v2', 'v3', 'v4'])
  for (const { id, text } of before) assert.is((await stored(key)).find((review) => review.id === id)?.text, text)
  const edited = more.map((row) => (row.id === 'v0' ? { ...row, text: 'All is different now.' } : { ...row, stars: 2 }))
  const later = await imported(await upload(key, csv(edited, true)))
  assert.equal([later.inserted, later.updated, later.unchanged], [0, 5, 0])
  const back = await imported(await upload(key, csv(edited, false)))
  assert.equal([back.inserted, back.updated, back.unchanged], [0, 5, 5], 'and the same export without them')
  assert.equal(await idsOf(), ['v0', 'v1', 'v2', 'v3', 'v4'])
})

test('the translation of a text goes with it, when the author writes another that needs none', async () => {
  const key = await freshKey()
  const takeout = (comment: string) => {
    const time = '2026-01-05T10:11:12Z'
    const reviewer = { displayName: 'Jürgen Bach' }
    const name = 'accounts/1/locations/2/reviews/3'
    return JSON.stringify({
      reviews: [{ reviewer, starRating: 'FIVE', comment, createTime: time, updateTime: time, name }],
    })
  }
  const metadata = async () => (await stored(key))[0]?.metadata
  const german = '(Translated by Google) Good cake.\n\n(Original)\nGuter Kuchen.'
  for (const [comment, expected] of [
    [german, { translation: 'Good cake.' }],
    ['Guter Kuchen.', { translation: 'Good cake.' }],
    ['Sadly the cake was dry.', {}],
  ] as const) {
    await imported(await upload(key, takeout(comment), '?file_name=reviews.json'))
    assert.equal(await metadata(), expected)
  }
})

test('a saved response of Google Places that an earlier version imported under made ids is not stored twice', async () => {
  const key = await freshKey()
  const at = ['2026-01-05T10:11:12.345678Z', '2026-01-06T08:00:01Z']
  const texts = ['Great!', 'The bread was warm and the staff kind.']
  const earlier = texts.map((text, place) => ({ author: 'Ola N.', date: at[place], text, rating: 5 }))
  await imported(await upload(key, JSON.stringify(earlier), '?file_name=a.json'))
  const reviews = texts.map((text, place) => ({
    name: `places/one/reviews/${place}`,
    rating: 5,
    text: { text, languageCode: 'en' },
    originalText: { text, languageCode: 'en' },
    authorAttribution: { displayName: 'Ola N.' },
    publishTime: at[place],
  }))
  const again = await imported(await upload(key, JSON.stringify({ reviews }), '?file_name=b.json'))
  assert.equal([again.inserted, again.unchanged], [0, 2])
  const another = [{ ...reviews[0], name: 'places/one/reviews/2', publishTime: '2026-01-05T10:11:13.345678Z' }]
  assert.is((await imported(await upload(key, JSON.stringify(another), '?file_name=b.json'))).inserted, 1)
})

test.run()
