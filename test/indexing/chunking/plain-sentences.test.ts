import * as assert from 'uvu/assert'
import { seeded } from '../../../bench/corpus.ts'
import { plainSentenceStarts } from '../../../server/indexing/chunking/plain-sentences.ts'
import { boundariesIn, segmenter, sentenceStartsIn } from '../../../server/indexing/chunking/segmenter.ts'
import { suite } from '../../suite.ts'

const test = suite('sentences of plain texts')

const bySegmenter = (text: string, language = 'en') => [
  ...boundariesIn(segmenter(language, 'sentence'), text, 0, text.length),
]
const plain = (text: string) => plainSentenceStarts(text, 0, text.length)

const KNOWN = [
  ...Array.from({ length: 256 }, (_, unit) => String.fromCharCode(unit)),
  ...'–—‘’‚‛“”„‟‹›€†‡•…‰\u2028\u2029',
]

test('begin where Intl.Segmenter has them, whatever sign stands around a full stop', () => {
  for (const sign of KNOWN) {
    const texts = [
      sign,
      `a${sign}b`,
      `a.${sign}b`,
      `a.${sign}B`,
      `a. ${sign} B`,
      `${sign}.B c`,
      `A!${sign} B`,
      `a. ${sign}b`,
    ]
    for (const text of texts) assert.equal(plain(text), bySegmenter(text), JSON.stringify(text))
  }
})

test('the same holds for texts made of these signs by chance', () => {
  const random = seeded(7)
  const often = [...'.!? \n\r\u0085\u00ad"\')(aaBB13,;:-’“…éÉªº\t']
  const pick = (from: readonly string[]) => from[Math.floor(random() * from.length)] ?? ''
  for (let i = 0; i < 4_000; i++) {
    let text = ''
    for (let left = 1 + random() * 14; left > 0; left--) text += pick(random() < 0.85 ? often : KNOWN)
    assert.equal(plain(text), bySegmenter(text), JSON.stringify(text))
  }
})

test('what is asked of a stretch is about that stretch', () => {
  const text = 'First one. Second one. Third one. Fourth one.'
  assert.equal(plainSentenceStarts(text, 11, 34), [23])
  assert.equal([...sentenceStartsIn(text, 11, text.length, null)], [23, 34])
})

test('a text with other letters, and Greek with its own question mark, go to the segmenter', () => {
  assert.is(plain('Πολύ καλό; Ναι.'), undefined)
  assert.is(plain('Très bon. 很好。'), undefined)
  const greek = 'a; B.'
  for (const language of ['el', 'el-GR', 'ell']) {
    assert.equal([...sentenceStartsIn(greek, 0, greek.length, language)], bySegmenter(greek, 'el'), language)
  }
  assert.equal([...sentenceStartsIn(greek, 0, greek.length, 'en')], [])
})

test('20,000 dots, capitals or brackets take no longer than as many letters by a multiple', () => {
  for (const unit of ['.', '. ', 'A.', '.)', '. 1 ', '\n', '"']) {
    const text = unit.repeat(20_000 / unit.length)
    const before = process.cpuUsage()
    plain(text)
    const { user, system } = process.cpuUsage(before)
    assert.ok(user + system < 200_000, `${JSON.stringify(unit)}: ${user + system} µs`)
  }
})

test.run()
