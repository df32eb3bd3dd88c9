import * as assert from 'uvu/assert'
import { parseRating } from '../../../src/importer/fields/rating.ts'
import { otherScaleMessage, RatingScale, toFiveStars } from '../../../src/importer/fields/rating-scale.ts'
import { suite } from '../../suite.ts'

const test = suite('rating')

const READ: [string, number | null][] = [
  ['1', 1],
  ['5', 5],
  [' 4 ', 4],
  ['5.0', 5],
  ['3.00', 3],
  ['4.5', 5],
  ['4.4', 4],
  ['4,5', 5],
  ['4,4', 4],
  ['0.5', 1],
  ['4½', 5],
  ['4/5', 4],
  ['4 / 5', 4],
  ['8/10', 4],
  ['ui_bubble_rating bubble_40', 4],
  ['<span class="ui_bubble_rating bubble_35"></span>', 4],
  ['allstar20 rating', 2],
  ['sml-rank-stars sml-str45 star', 5],
  ['i-stars i-stars--regular-1 rating-large', 1],
  ['comment-star star3', 3],
  ['star-rating-4', 4],
  ['力荐', 5],
  ['推荐', 4],
  ['还行', 3],
  ['较差', 2],
  ['很差', 1],
  ['7 out of 10', 4],
  ['8/10 Very good', 4],
  ['10 out of 10 Excellent', 5],
  ['1/10', 1],
  ['0/10', null],
  ['13/20', 3],
  ['90/100', 5],
  ['4.0/5', 4],
  ['3.5/5.0', 4],
  ['4 out of 5', 4],
  ['4 out of 5 stars', 4],
  ['Rated 4 out of 5', 4],
  ['Bewertet mit 4 von 5 Sternen', 4],
  ['Noté 4 sur 5 étoiles', 4],
  ['Valorado con 4 de 5', 4],
  ['Beoordeeld met 3,5 van de 5 sterren', 4],
  ['Gewaardeerd 4 uit 5', 4],
  ['Bedømt til 4 ud af 5 stjerner', 4],
  ['Rating: 3', 3],
  ['Arvosana 4/5', 4],
  ['Score: 8 / 10', 4],
  ['4分', 4],
  ['4.5점', 5],
  ['4 Punkte', 4],
  ['4 of 5', 4],
  ['4 stars', 4],
  ['1 star', 1],
  ['5-star', 5],
  ['5 star rating', 5],
  ['4 bintang', 4],
  ['4 csillag', 4],
  ['4 stele', 4],
  ['4 зірки', 4],
  ['4 hviezdičky', 4],
  ['4 αστέρια', 4],
  ['٤ نجوم', 4],
  ['4 من 5', 4],
  ['4 כוכבים', 4],
  ['4 מתוך 5', 4],
  ['4 ดาว', 4],
  ['४ सितारे', 4],
  ['4 顆星', 4],
  ['4つ星', 4],
  ['星4つ', 4],
  ['별표 4개', 4],
  ['별 4.5개', 5],
  ['四星', 4],
  ['3 yıldız', 3],
  ['5 звёзд', 5],
  ['4.0 of 5 bubbles', 4],
  ['5 STARS', 5],
  ['4 von 5 Sternen', 4],
  ['4 Sterne', 4],
  ['4 étoiles', 4],
  ['4 sur 5', 4],
  ['4 estrellas', 4],
  ['3 de 5', 3],
  ['2 stelle su 5', 2],
  ['2 su 5', 2],
  ['5 sterren', 5],
  ['4,0 av 5 stjärnor', 4],
  ['4,0 z 5 gwiazdek', 4],
  ['4 из 5', 4],
  ['5つ星のうち4.0', 4],
  ['5 yıldız üzerinden 3,0', 3],
  ['٤', 4],
  ['1 van 5', 1],
  ['3 estrelas', 3],
  ['★★★☆☆', 3],
  ['★★★★★', 5],
  ['★', 1],
  ['★ ★ ★ ☆ ☆', 3],
  ['★★★½', 4],
  ['★★★⯪☆', 4],
  ['★★☆ ☆ ☆', 2],
  ['⭐️⭐️⭐️⭐️', 4],
  ['⭐⭐', 2],
  ['★★★½', 4],
  ['★ ★ ★ ☆ ☆', 3],
  ['4★', 4],
  ['５', 5],
  ['FIVE', 5],
  ['one', 1],
  ['', null],
  ['   ', null],
  ['0', null],
  ['0.0', null],
  ['0/5', null],
  ['☆☆☆☆☆', null],
  ['STAR_RATING_UNSPECIFIED', null],
  ['N/A', null],
  ['\\N', null],
  ['n.a.', null],
  ['#N/A', null],
  ['NaN', null],
  ['none', null],
  ['not rated', null],
  ['–', null],
  ['k. A.', null],
  ['評価しない', null],
  ['Brak oceny', null],
  ['без оценки', null],
  ['bintang 4', 4],
]
for (const [cell, expected] of READ) {
  test(`"${cell}" is ${expected === null ? 'unrated' : expected}`, () => {
    assert.equal(parseRating(cell), { ok: true, value: expected })
  })
}

const REFUSED = [
  'Score: 4',
  'Arvosana',
  '6',
  '-1',
  '5.1',
  '0.4',
  '80%',
  '1.234,5',
  '1,234.5',
  '8/9',
  '11/10',
  'bubble_80',
  'star6',
  'star123',
  '10',
  '45',
  'good',
  '★★★★★★',
  '★★★☆☆☆',
  '5 apples',
  'Infinity',
  '0x5',
  '1e0',
  '5-Apr',
  '04. Mai',
  '4/5/2026',
]
for (const cell of REFUSED) {
  test(`"${cell}" is refused`, () => {
    assert.is(parseRating(cell).ok, false)
  })
}

test('a rating that a spreadsheet turned into a date says so', () => {
  const refused = parseRating('5-Apr')
  assert.ok(!refused.ok && refused.message.includes('a spreadsheet turned the rating into the date'))
})

test('another scale is named as the trouble', () => {
  const refused = parseRating('8/9')
  assert.ok(!refused.ok && refused.message.includes('a scale other than 1 to 5'))
})

test('a scale that can be named is', () => {
  for (const [cell, scale] of [
    ['8/9', '9'],
    ['94%', '100'],
    ['7,5 %', '100'],
    ['90/101', undefined],
    ['7/7.5', undefined],
    ['1/1', undefined],
  ] as const) {
    const refused = parseRating(cell)
    assert.is(refused.ok ? undefined : /--rating-scale (\S+) /.exec(refused.message)?.[1], scale, cell)
  }
})

test('only a word that is a month makes a date of a rating', () => {
  for (const [cell, isDate] of [
    ['4 May', true],
    ['4.5.', true],
    ['14.12.', true],
    ['14 - May.', true],
    ['4 apples', false],
    ['4 May be', false],
    ['about 4 May', false],
  ] as const) {
    const parsed = parseRating(cell)
    assert.is(!parsed.ok && parsed.message.includes('into the date'), isDate, cell)
  }
})

/** The cell that shows that a file's ratings are of another scale. */
function proofOf(...cells: string[]): string | undefined {
  const scale = new RatingScale()
  for (const [line, cell] of cells.entries()) scale.add(cell, line)
  return scale.proof?.cell
}

test('a fifth beyond 5 is another scale, fewer are slips; those without stars do not count', () => {
  assert.is(proofOf('4', '5', '3', '2'), undefined)
  assert.is(proofOf('4', '5', '3', '2', '8', '9', '1', '1'), '8')
  assert.is(proofOf('4', '5', '3', '2', '8'), '8')
  assert.is(proofOf('4', '5', '3', '2', '1', '8'), undefined)
  assert.is(proofOf('4', '5', '3', '2', '0', '8'), '8')
  assert.is(proofOf('4', '5', '3', '2', '5', '5', '5', '5', '5.8'), '5.8')
  assert.is(proofOf('4/5', '8 stars', '4/5', '', '4'), undefined)
  assert.is(proofOf('9/10', '8 stars', '', '4'), '9/10', 'a bare 4 may be out of 10')
})

test('three different ratings from 6 to 10 are no slips, however few they are', () => {
  const unhappy = Array.from({ length: 60 }, () => '1')
  assert.is(proofOf(...unhappy, '7', '10', '9'), '7')
  assert.is(proofOf(...unhappy, '7', '9', '7', '9'), undefined)
  assert.is(proofOf(...unhappy, '7', '55', '44', '11'), undefined, 'fingers slip to these')
})

test('that no rating is above 3 or 4 is told where that is the most frequent one of many', () => {
  const noteOf = (isGiven: boolean, ...counts: [cell: string, count: number][]) => {
    const scale = new RatingScale()
    for (const [cell, count] of counts) for (let line = 0; line < count; line++) scale.add(cell, line, isGiven)
    return scale.note()
  }
  assert.match(noteOf(false, ['1', 4], ['2', 8], ['3', 20]) ?? '', /^no rating is above 3, .*--rating-scale 3$/)
  assert.match(noteOf(false, ['4', 20], ['0', 9], ['2', 10]) ?? '', /--rating-scale 4$/)
  assert.is(noteOf(true, ['1', 4], ['2', 8], ['3', 20]), undefined, 'the scale is given')
  assert.is(noteOf(false, ['1', 20], ['2', 8], ['3', 4]), undefined, 'bad reviews')
  assert.is(noteOf(false, ['3', 29]), undefined, 'few')
  assert.is(noteOf(false, ['3', 40], ['5', 1]), undefined)
})

test('several parts of one among nothing above one are another scale', () => {
  assert.is(proofOf('0', '1', '0.93', '0.5'), '0.93')
  assert.is(proofOf('1', '1', '0.93', '1'), undefined)
  assert.is(proofOf('0', '0', '1', '1'), undefined)
  assert.is(proofOf('0.5', '0.5', '4'), undefined)
  assert.is(proofOf('0.5', '0.5', '7'), '7')
})

test('zeros and ones are no stars, unless there are few of either', () => {
  const three = (cell: string) => Array<string>(3).fill(cell)
  assert.is(proofOf(...three('1'), ...three('0.0')), '0.0')
  assert.is(proofOf(...three('1'), ...three('0'), '4'), undefined)
  assert.is(proofOf(...three('1'), ...three('0').slice(1)), undefined)
  assert.is(proofOf(...three('1').slice(1), ...three('0')), undefined)
  assert.is(proofOf(...three('1'), ...three('1')), undefined)
})

test('a word for a rating is told how to leave the column out', () => {
  const [word, number] = ['Positive', '7'].map((cell) => parseRating(cell))
  assert.match(word?.ok === false ? word.message : '', /--map rating= leaves the column out$/)
  assert.not.match(number?.ok === false ? number.message : '', /--map/)
})

test('every number of a scale that is not of round parts can be read', () => {
  for (const scale of [3, 6, 7, 9])
    for (let stars = 1; stars <= scale; stars++)
      assert.ok(parseRating(toFiveStars(String(stars), scale)).ok, `${stars} of ${scale}`)
})

test('a number of a named scale becomes one of five; what is none of it stays', () => {
  for (const [cell, scale, expected] of [
    ['10', 10, '5'],
    ['7', 10, '3.5'],
    [' 7/10 ', 10, '3.5'],
    ['7,5', 10, '3.75'],
    ['0', 10, '0'],
    ['1', 100, '1'],
    ['80%', 100, '4'],
    ['7,5 %', 100, '1'],
    ['80%', 10, '80%'],
    ['11', 10, '11'],
    ['4/5', 10, '4/5'],
    ['7 stars', 10, '7 stars'],
    ['N/A', 10, 'N/A'],
    ['7'.repeat(200), 10, '7'.repeat(200)],
  ] as const)
    assert.is(toFiveStars(cell, scale), expected, cell)
})

test('a scale is advised only where there is one', () => {
  const advice = (cell: string) => otherScaleMessage(cell, { cell, line: 2 })
  assert.match(advice('7.5'), '--rating-scale 10 ')
  assert.match(advice('45'), '--rating-scale 50 ')
  assert.match(advice('88'), '--rating-scale 100 ')
  assert.not.match(advice('0.93'), '--rating-scale')
  assert.match(advice('0.93'), '--map rating=')
})

test.run()
