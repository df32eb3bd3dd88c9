import * as assert from 'uvu/assert'
import { excerptId } from '../../../server/indexing/chunking/chunk.ts'
import { suite } from '../../suite.ts'
import { chunk } from './run-sync.ts'

/** Random texts; a change of how texts are cut deserves more. */
const ROUNDS = Number(process.env.PULLQUOTE_TEST_ROUNDS ?? 500)

const test = suite('chunk')

const slices = (text: string, language?: string) =>
  chunk(text, language).map(({ start, end }) => text.slice(start, end))

/** Everything that must hold for any text. */
function check(text: string, language?: string): void {
  const found = chunk(text, language)
  const boundaries = new Set([text.length])
  for (const { index } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) boundaries.add(index)
  const shown = JSON.stringify(text.slice(0, 200))
  let covered = 0
  for (const { start, end } of found) {
    const slice = text.slice(start, end)
    assert.ok(end > start, `an excerpt is empty in ${shown}`)
    assert.is(slice, slice.trim(), `an excerpt has outer white space in ${shown}`)
    assert.is(text.slice(covered, start).trim(), '', `text is lost or overlaps before ${start} in ${shown}`)
    if (start > 0 && text.slice(0, start).trim() !== '') {
      assert.ok(boundaries.has(start), `a grapheme is cut at ${start} in ${shown}`)
    }
    if (text.slice(end).trim() !== '') assert.ok(boundaries.has(end), `a grapheme is cut at ${end} in ${shown}`)
    covered = end
  }
  assert.is(text.slice(covered).trim(), '', `text is lost at the end of ${shown}`)
  assert.equal(chunk(text, language), found, `another run gave other excerpts for ${shown}`)
}

/** Mulberry32: a small seeded generator, so that a failure can be repeated. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const LATIN = [
  'the room ',
  'was ',
  'clean, ',
  'and ',
  'quiet. ',
  'Great! ',
  'Why? ',
  'St. ',
  'Mr. ',
  'Jones',
  '\n',
  '\n\n',
  '... ',
  '; ',
]
const NASTY = [
  'a',
  ' ',
  '\r\n',
  '\n',
  '\u0301',
  '\u200d',
  '\u200b',
  '\ufe0f',
  '\u0600',
  '\u0903',
  '\u094d',
  'क',
  'ष',
  '👩',
  '🚀',
  '🏽',
  '🇩',
  '🇪',
  '한',
  '\u1100',
  '\u1161',
  '\u11a8',
  'จ',
  'ำ',
  '.',
  '!',
  '。',
  '、',
  '你',
  'が',
  '\u3099',
  '\ufeff',
  '\u00a0',
  '\u00ad',
  '\u2028',
  ', ',
  '. B',
  'שלום ',
  'مرحبا، ',
  '\u{110bd}',
  '\u0d4e',
  '©',
  '"',
  ') ',
]

test('keeps every property for random texts of any script', () => {
  const next = random(20260105)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T
  for (let round = 0; round < ROUNDS; round++) {
    const alphabet =
      round % 3 === 0 ? LATIN : round % 3 === 1 ? NASTY : [...NASTY.slice(Math.floor(next() * 30)), 'word']
    const length = Math.floor(next() * 500)
    let text = ''
    for (let i = 0; i < length; i++) text += pick(alphabet)
    check(text, pick(['en', 'de', 'th', 'zh', 'ar', 'x-odd', 'i-klingon', 'not a tag', undefined] as const))
  }
})

test('keeps every property for 20,000 characters without a place to cut', () => {
  for (const unit of ['a', 'ä', '好', 'ก', '👨‍👩‍👧‍👦', '🇩🇪', 'क्ष', 'e\u0301', '.', ' \u0301', '!\n', '\n', 'a ']) {
    check(unit.repeat(Math.floor(20_000 / unit.length)))
  }
  check(`a${'\u0301'.repeat(19_999)}`)
  check(`a${'\n'.repeat(19_998)}b`)
  check(`${'🏳️‍🌈'.repeat(500)}${'x'.repeat(5_000)}. ${'שלום עולם '.repeat(500)}`)
})

test('leaves a short review whole', () => {
  const text = 'Lovely place. The staff remembered us.\nWe will be back!'
  assert.equal(chunk(text), [{ start: 0, end: text.length }])
})

test('finds nothing in white space', () => {
  assert.equal(chunk(''), [])
  assert.equal(chunk(' \n\t\u00a0 '), [])
})

test('drops the white space around a text from the offsets only', () => {
  assert.equal(chunk('  Good. \n'), [{ start: 2, end: 7 }])
})

test('makes excerpts of whole sentences, one to three each', () => {
  assert.equal(
    slices(
      'We stayed three nights in May with our two children. The room was large, bright and very clean, with a balcony over the harbour. Breakfast was fresh bread, good coffee and the best pancakes. The only downside was the parking, which is expensive. Would we come back? Absolutely.',
    ),
    [
      'We stayed three nights in May with our two children. The room was large, bright and very clean, with a balcony over the harbour.',
      'Breakfast was fresh bread, good coffee and the best pancakes. The only downside was the parking, which is expensive. Would we come back? Absolutely.',
    ],
  )
})

test('prefers a paragraph as the place to cut', () => {
  const [first, second] = slices(
    'We had the tasting menu and enjoyed it from start to end, all seven courses.\nThe bread too.\n\nThe wine pairing is worth it. Ask for Elena, she knows every bottle of the house.',
  )
  assert.ok(first?.endsWith('The bread too.'))
  assert.ok(second?.startsWith('The wine pairing'))
})

test('does not take an abbreviation for the end of a sentence', () => {
  const text =
    'On arrival we were told that our suite, booked months ago and paid for in full, was not ready yet, but then came Mr. Arkwright from the desk, who brought us to a better one on the top floor with a view of the whole bay and the lighthouse.'
  assert.equal(slices(text), [text])
})

test('leaves the number of an item, a German ordinal and a day of a month with what they count', () => {
  const items =
    'A few tips after our week here with two small children and their grandparents, whom everybody liked. 1. Come early, before the buses do, since the benches fill up fast. 2. Bring your own water. 3. Ask for a table by the wall.'
  for (const excerpt of slices(items)) assert.not.match(excerpt, /\s\d\.$/)
  const ordinal =
    'Wir waren im Juli für zehn Nächte hier und haben den Aufenthalt mit den Kindern wirklich genossen. Unser Zimmer lag hinten im 3. Stock und war ruhig, d.h. Straße und Bahn hört man nicht, und vom Balkon sieht man den See und die Berge.'
  for (const excerpt of slices(ordinal, 'de')) assert.not.match(excerpt, /(?: im 3\.|d\.h\.)$/)
  const day =
    'We booked one of the four cabins by the lake a few weeks before our stay there, on the advice of friends who come to the village each winter until Dec. 10. Only four cabins stand on each side of it, and the path to the bakery is short.'
  for (const excerpt of slices(day)) assert.not.match(excerpt, /Dec\.$/)
})

test('still ends a sentence after a number', () => {
  assert.equal(
    slices(
      'We are a family of five, and the apartment that we had booked in spring for the first week of the holidays had beds for only 3. Nobody at the desk could tell us why, but they brought us two more beds and a cot before dinner, and a basket with bread, cheese and a bottle of wine.',
    ).map((excerpt) => excerpt.slice(-7)),
    ['only 3.', 'f wine.'],
  )
})

test('does not take an abbreviation for the end of a clause either', () => {
  const text =
    'among those who made our week there are, in no order, the two cooks who baked a cake for our daughter, the boy who carried her up the hill when she was tired, and the ever helpful manager Mr. Arkwright, who found us another room at midnight when the pipe above ours had burst, and who then dried our books'
  for (const excerpt of slices(`${text}, and all our letters`)) assert.not.match(excerpt, /Mr\.$/)
})

test('cuts a long sentence between its clauses', () => {
  const clause = 'the waiter took a long while to bring the drinks that we had asked for at the bar'
  const found = slices(`${clause}, ${clause}, ${clause}, ${clause}, ${clause}`)
  assert.equal(found, [`${clause}, ${clause},`, `${clause}, ${clause}, ${clause}`])
})

test('cuts a run of words without punctuation between words, before a joining word if it can', () => {
  const found = slices(
    'we came here last week and the waiter was super rude and he did not even say hello when we sat down and then we waited forty minutes for the drinks but the pizza was honestly amazing and my wife loved the tiramisu which was homemade and not too sweet so overall we would come back maybe on a quieter day',
  )
  assert.is(found.length, 2)
  assert.match(found[1] ?? '', /^(and|but|so) /)
})

test('takes an emoji for the end of a clause, and a sign of print for none, under every version of Unicode', () => {
  const list = (sign: string) =>
    Array.from({ length: 6 }, () => `a large quiet room with the garden below and a good bed ${sign}`).join(' ')
  assert.ok(slices(list('🏡')).every((slice) => slice.endsWith('🏡')))
  assert.not.ok(slices(list('★')).every((slice) => slice.endsWith('★')))
})

test('counts East Asian characters twice and ends at their punctuation', () => {
  const found = slices(
    '酒店位置非常好，离地铁站很近。房间干净整洁，床也很舒服。早餐种类丰富，特别喜欢现做的面条。前台服务热情，帮我们免费升级了房间。唯一的缺点是隔音不太好，晚上能听到走廊的声音。下次还会再来！泳池很大，孩子们玩得很开心。',
    'zh',
  )
  assert.is(found.length, 2)
  for (const excerpt of found) assert.match(excerpt, /[。！]$/)
})

test('cuts Thai between words, where no space stands', () => {
  const word = 'พนักงาน'
  const boundaries = new Set<number>([0])
  const text = `${word}โรงแรม`.repeat(40)
  for (const { index } of new Intl.Segmenter('th', { granularity: 'word' }).segment(text)) boundaries.add(index)
  const found = chunk(text, 'th')
  assert.ok(found.length > 1)
  for (const { start } of found) assert.ok(boundaries.has(start))
})

test('keeps excerpts of ordinary prose between 60 and 300 characters', () => {
  const next = random(7)
  const sentences = [
    'The view over the valley is worth every step of the climb.',
    'Nice staff.',
    'Our dog was welcome, too.',
    'The shower ran hot after a minute or two, and the towels were thick and soft every day.',
    'Would stay again!',
  ]
  for (let round = 0; round < 200; round++) {
    const text = Array.from({ length: 8 }, () => sentences[Math.floor(next() * sentences.length)]).join(' ')
    for (const { start, end } of chunk(text))
      assert.ok(end - start >= 60 && end - start <= 300, `${end - start} in: ${text}`)
  }
})

test('an excerpt id is a version 5 UUID that stays for the same review, place and text', () => {
  const review = '3f0c2a44-9d0e-4b57-8f6e-1f2d3c4b5a69'
  const id = excerptId(review, 0, 5, 'Great')
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.is(excerptId(review, 0, 5, 'Great'), id)
  assert.is.not(excerptId(review, 6, 11, 'Great'), id)
  assert.is.not(excerptId(review.replace('3f', '4f'), 0, 5, 'Great'), id)
  assert.is.not(excerptId(review, 0, 5, 'Grand'), id)
})

test('an excerpt id is what another implementation of version 5 makes of it', () => {
  // Python: uuid.uuid5(uuid.NAMESPACE_DNS, '0:5:Great')
  assert.is(excerptId('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 0, 5, 'Great'), '481993ab-640c-520c-9635-09bb94ffc5e6')
})

test('an opening bracket right after the end of a sentence begins the next excerpt', () => {
  const bath =
    '【お風呂】源泉かけ流しの露天風呂がとても広くて、夜は星を見ながらゆっくり浸かることができましたので、家族みんなで大満足でした。'
  const meal =
    '【夕食】地元の魚と野菜をたくさん使った料理がどれも丁寧に作られていて、子どもたちも残さず食べるくらいおいしかったと思います。'
  assert.equal(slices(bath + meal), [bath, meal])
  const first =
    'We had booked the small room above the bakery for three nights and were given the large one with the balcony!'
  const second =
    '(And the bread in the morning was still warm, with butter from the farm next door and a jam of their own plums.)'
  assert.equal(slices(first + second), [first, second])
})

test.run()
