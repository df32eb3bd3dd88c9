import * as assert from 'uvu/assert'
import { passageAround } from '../../snippet/passage.ts'
import { suite } from '../suite.ts'

const test = suite('passage of a review')

/** The passage around the part in brackets. */
function passage(marked: string, budget: number) {
  const start = marked.indexOf('[')
  const end = marked.indexOf(']') - 1
  const [before, inside, after, following, cutStart, cutEnd] = passageAround(
    marked.replace(/[[\]]/g, ''),
    start,
    end,
    budget,
  )
  return `${cutStart ? '…' : ''}${before}[${inside}]${following ? `${after.trimEnd()} + ${following}` : after}${cutEnd ? '…' : ''}`
}

test('a short review is shown whole', () => {
  assert.is(passage('Late. [Warm rolls.] A view.', 100), 'Late. [Warm rolls.] + A view.')
})

test('the sentence of the excerpt is completed', () => {
  assert.is(
    passage('One two three. For us [they baked bread] every morning. Four five six.', 40),
    '…For us [they baked bread] every morning.…',
  )
})

test('what follows is added before what precedes, as long as it fits', () => {
  assert.is(passage('First one. Second. [Third.] Fourth. Fifth.', 16), '…[Third.] + Fourth.…')
  assert.is(passage('First one. Second. [Third.]', 16), '…Second. [Third.]')
})

test('at most one sentence of what precedes is shown, however much room there is', () => {
  assert.is(passage('First. Second. Third. [Fourth.] Fifth. Sixth.', 280), '…Third. [Fourth.] + Fifth. Sixth.')
})

test('the rest of the excerpt’s own sentence is told apart from the sentences that follow', () => {
  assert.is(passage('[Warm rolls] and honey. A view.', 280), '[Warm rolls] and honey. + A view.')
})

test('a sentence that is longer than the budget is cut between words', () => {
  const words = 'word '.repeat(100)
  const shown = passage(`${words}[the excerpt] ${words}end.`, 120)
  assert.ok(shown.startsWith('…') && shown.endsWith('…'))
  assert.ok(shown.length < 400)
  assert.not.match(shown, /…ord|wor…|…rd|wo…/)
})

test('text without spaces or full stops is not cut inside: the excerpt stands alone', () => {
  const wall = '山'.repeat(5000)
  assert.is(passage(`${wall}[朝食]${wall}`, 280), '…[朝食]…')
})

test('sentences of Japanese end without a space', () => {
  assert.is(passage('部屋は広い。[朝食は最高。]駅に近い。', 12), '…[朝食は最高。] + 駅に近い。')
})

test('the excerpt itself is never shortened', () => {
  const long = 'breakfast '.repeat(200).trim()
  assert.is(passage(`Before. [${long}.] After.`, 280), `…[${long}.]…`)
})

test('hostile texts take no time', () => {
  const text = `${'\n'.repeat(10_000)}here${'\n'.repeat(9_990)}`
  const begun = process.cpuUsage()
  passageAround(text, 10_000, 10_004, 280)
  passageAround('a'.repeat(20_000), 10, 20, 280)
  passageAround('a. '.repeat(6_600), 9_000, 9_003, 280)
  passageAround('."'.repeat(10_000), 9_000, 9_003, 280)
  // A pattern that tries every length from every place takes seconds here; this one some 20 ms.
  assert.ok(process.cpuUsage(begun).user < 1_000_000)
})

test.run()
