import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { currentDeadline, DeadlinePassed, withDeadline, withTimeLimit } from '../../server/db/deadline.ts'
import { suite } from '../suite.ts'

const test = suite('the deadline of a request')

test('work finds its own, also after another request of the same time has ended', async () => {
  const seen = async (ms: number) =>
    withDeadline(async () => {
      const first = currentDeadline()
      await sleep(ms)
      return { first, later: currentDeadline() }
    }, 1_000)
  const [short, long] = await Promise.all([seen(1), seen(30)])
  assert.ok(short.first)
  assert.is(short.later, short.first)
  assert.is(long.later, long.first)
  assert.is.not(long.first, short.first)
})

test('outside of requests there is none, before and after them', async () => {
  assert.is(currentDeadline(), undefined)
  await withDeadline(() => sleep(1), 1_000)
  assert.is(currentDeadline(), undefined)
  assert.ok(await withDeadline(async () => currentDeadline(), 1_000))
})

test('work that is left behind finds that its time has passed', async () => {
  let passed: boolean | undefined
  let leftBehind: Promise<void> | undefined
  const work = () => {
    leftBehind = sleep(20).then(() => {
      passed = currentDeadline()?.passed
    })
    return leftBehind
  }
  const error = await withDeadline(work, 1).catch((thrown: unknown) => thrown)
  assert.instance(error, DeadlinePassed)
  // Another request ends meanwhile.
  await withDeadline(async () => {}, 1_000)
  await leftBehind
  assert.is(passed, true)
})

test('a time limit alone carries nothing, and ends the wait', async () => {
  assert.is(await withTimeLimit(async () => currentDeadline(), 1_000), undefined)
  const late = () => new Error('too late')
  const error = await withTimeLimit(() => sleep(50), 1, late).catch((thrown: unknown) => thrown)
  assert.is(error instanceof Error && error.message, 'too late')
})

test.run()
