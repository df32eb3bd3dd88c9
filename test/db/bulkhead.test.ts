import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { Bulkhead, currentBulkhead, inBulkhead, ServerSilent } from '../../server/db/bulkhead.ts'
import { isServerOfClusterLost } from '../../server/db/unavailable.ts'
import { suite } from '../suite.ts'
import { until } from '../waiting.ts'

const test = suite('what is asked of one server of a cluster')
const bulkhead = (most: number, onSlow = () => {}, slowMs = 60_000) => new Bulkhead({ most, slowMs, onSlow })
const never = () => new Promise<never>(() => {})
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof ServerSilent ? 'silent' : error),
  )

test('no more than so many statements are under way at once, and each that ends lets the next begin', async () => {
  const one = bulkhead(2)
  const ends: (() => void)[] = []
  let begun = 0
  const work = () => {
    begun++
    return new Promise<void>((end) => ends.push(end))
  }
  const all = [1, 2, 3, 4].map(() => one.run(work))
  await sleep(1)
  assert.is(begun, 2)
  ends[0]?.()
  await sleep(1)
  assert.is(begun, 3)
  ends[1]?.()
  ends[2]?.()
  await sleep(1)
  ends[3]?.()
  await Promise.all(all)
  assert.is(begun, 4)
})

test('a statement that fails leaves its place to others', async () => {
  const one = bulkhead(1)
  const failure = new Error('refused')
  assert.is(await codeOf(one.run(() => Promise.reject(failure))), failure)
  assert.is(await one.run(async () => 'next'), 'next')
})

test('once its server is known to be silent, all that waits fails at once, and all that comes until it answers', async () => {
  const one = bulkhead(1)
  const hanging = codeOf(one.run(never))
  const waiting = codeOf(one.run(async () => 'too early'))
  one.close()
  assert.is(await hanging, 'silent')
  assert.is(await waiting, 'silent')
  assert.is(await codeOf(one.run(async () => 'too early')), 'silent')
  one.open()
  assert.is(await one.run(async () => 'answered'), 'answered')
})

test('what takes long is told of again and again, and no more when it has ended', async () => {
  let told = 0
  const one = bulkhead(1, () => told++, 5)
  await one.run(() => until('it is told twice', () => told > 1, 1))
  const before = told
  await sleep(20)
  assert.is(told, before)
})

test('the error is one of a server that is lost, whose requests are answered 503', () => {
  assert.ok(isServerOfClusterLost(new ServerSilent()))
})

test('a bulkhead is carried through what is awaited, and ends with it', async () => {
  const one = bulkhead(1)
  await inBulkhead(one, async () => {
    await sleep(1)
    assert.is(currentBulkhead(), one)
  })
  assert.is(currentBulkhead(), undefined)
})

test.run()
