import pc from 'picocolors'
import stringWidth from 'string-width'
import * as assert from 'uvu/assert'
import { table } from '../../../src/cli/output/table.ts'
import { withColoursOnly } from '../../../src/cli/output/text.ts'
import { fieldLines, wrap } from '../../../src/cli/output/wrap.ts'
import { reviewList, reviewSummary } from '../../../src/cli/reviews/lines.ts'
import type { StoredReview } from '../../../src/contract/review.ts'
import { exampleReview } from '../../client/example-answers.ts'
import { suite } from '../../suite.ts'

const test = suite('names and texts in other scripts than Latin')
const style = pc.createColors(false)
const pipe = { interactive: false, columns: Number.POSITIVE_INFINITY, style }
const window = (columns: number) => ({ interactive: true, columns, style })

const review = (told: Partial<StoredReview>) => exampleReview({ occurred_at: '2026-07-02T10:00:00.000Z', ...told })
const now = new Date('2026-08-01T00:00:00Z')
const counts = [
  { heading: 'NAME', value: ({ name }: { name: string }) => name },
  { heading: 'COUNT', value: () => '12', align: 'right' as const },
]

test('a name in Hebrew or Arabic keeps what follows on its side: a mark ends it on a terminal, and none in a pipe', () => {
  for (const name of ['דנה כהן', 'محمد الشامي']) {
    const one = review({ author_name: name })
    assert.ok(withColoursOnly(reviewList([one], now, window(80))).includes(`${name}\u200e · 2 Jul 2026`))
    assert.ok(reviewSummary(one, window(80)).includes(`${name}\u200e, 2026-07-02`))
    const line = table([{ name }], counts, window(80)).split('\n')[1] ?? ''
    assert.ok(line.startsWith(`${name}\u200e  `))
    assert.is(stringWidth(line), stringWidth(name) + '  COUNT'.length, 'the mark takes no column')
    for (const text of [reviewList([one], now, pipe), reviewSummary(one, pipe), table([{ name }], counts, pipe)])
      assert.not.match(text, /\u200e/)
  }
  assert.not.match(reviewList([review({})], now, window(80)), /\u200e/)
})

test('a text without spaces is wrapped like any other, and an address stays whole', () => {
  for (const text of [
    '朝食がとても美味しかったです。湖の見えるサウナも最高でした。また来年も家族で泊まりたいと思います。',
    'Very good: 早餐非常丰盛，房间安静，湖景桑拿令人难忘。前台服务热情周到，下次还会再来！',
    'อาหารเช้าอร่อยมากห้องพักสะอาดและเงียบสงบวิวทะเลสาบสวยงามพนักงานเป็นกันเองและช่วยเหลือดีมาก',
  ]) {
    const lines = wrap(text, 40, 4).split('\n')
    assert.ok(lines.length > 1)
    for (const line of lines) assert.ok(line.startsWith('    ') && stringWidth(line) <= 40, line)
    assert.is(lines.join('').replaceAll(' ', ''), text.replaceAll(' ', ''))
  }
  const address = `https://hotel.example/${'a'.repeat(60)}`
  assert.is(wrap(address, 40), address)
})

test('a name of 256 letters without a space takes no more than its line', () => {
  for (const width of [40, 80]) {
    const text = reviewList([review({ author_name: 'x'.repeat(256) })], now, window(width))
    for (const line of text.split('\n')) assert.ok(stringWidth(line) <= width, line)
  }
})

test('values beside names of wide letters are aligned', () => {
  const lines = fieldLines(
    [
      ['部屋', '12'],
      ['room', '12'],
    ],
    window(80),
  )
  assert.equal(lines, ['部屋  12', 'room  12'])
})

test.run()
