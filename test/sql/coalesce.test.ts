import * as assert from 'uvu/assert'
import { coalesce } from '../../server/sql/coalesce.ts'
import { suite } from '../suite.ts'

const test = suite('coalesced calls')

function recorder() {
  const runs: number[][] = []
  const release: (() => void)[] = []
  const run = async (items: number[]) => {
    runs.push(items)
    await new Promise<void>((resolve) => release.push(resolve))
    if (items.includes(13)) throw new Error('unlucky')
    return items.map((item) => item * 2)
  }
  return { runs, run, finish: (i: number) => release[i]?.() }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('go out together at the end of a turn, and wait while earlier ones are under way', async () => {
  const { runs, run, finish } = recorder()
  const call = coalesce(run)
  const answers = [call(1), call(2)]
  assert.equal(runs, [])
  await turn()
  assert.equal(runs, [[1, 2]])
  answers.push(call(3))
  await turn()
  answers.push(call(4))
  await turn()
  assert.equal(runs, [[1, 2]])
  finish(0)
  await turn()
  assert.equal(runs, [
    [1, 2],
    [3, 4],
  ])
  finish(1)
  assert.equal(await Promise.all(answers), [2, 4, 6, 8])
  const later = call(5)
  await turn()
  finish(2)
  assert.is(await later, 10, 'when nothing is under way any more')
})

test('are no more than fit into one run', async () => {
  const { runs, run, finish } = recorder()
  const call = coalesce(run, 2)
  const answers = [1, 2, 3, 4].map((item) => call(item))
  await turn()
  for (let i = 0; i < 2; i++) {
    finish(i)
    await turn()
  }
  assert.equal(runs, [
    [1, 2],
    [3, 4],
  ])
  assert.equal(await Promise.all(answers), [2, 4, 6, 8])
})

test('fail together, and the next ones do not', async () => {
  const { run, finish } = recorder()
  const call = coalesce(run)
  const answers = [1, 13, 5].map((item) => call(item))
  await turn()
  const next = call(6)
  finish(0)
  const settled = await Promise.allSettled(answers)
  assert.equal(
    settled.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  )
  await turn()
  finish(1)
  assert.is(await next, 12)
})

test('do not take a missing result for an answer', async () => {
  const call = coalesce(async () => [])
  const [outcome] = await Promise.allSettled([call(1)])
  assert.is(outcome?.status, 'rejected')
})

test.run()
