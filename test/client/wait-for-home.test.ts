import * as assert from 'uvu/assert'
import { waitForHome } from '../../src/client/wait-for-home.ts'
import { CodedError, codeOf } from '../../src/contract/code-of.ts'
import { suite } from '../suite.ts'

const test = suite('waiting for the commands that have the database open')

const TIMING = { waitMs: 1_000, pollMs: 100 }

/** Opens after being refused with each of these holders in turn, each for so many tries. */
function busy(holders: readonly number[], tries: number) {
  let refused = 0
  return async () => {
    const pid = holders[Math.floor(refused++ / tries)]
    if (pid !== undefined) throw Object.assign(new CodedError('home_in_use', `in use by ${pid}`), { holder: { pid } })
    return 'open'
  }
}

test('who waits for many short commands, one after another, waits for each of them', async () => {
  assert.is(await waitForHome(busy([11, 12, 13, 14, 15, 16], 3), TIMING), 'open')
})

test('one that keeps it open is waited for only so long', async () => {
  assert.is(await waitForHome(busy([11, 11, 11, 11, 11, 11], 3), TIMING).catch(codeOf), 'home_in_use')
})

test('a stream of them is not waited for without end, and the refusal says how they work at the same time', async () => {
  const stream = busy(
    Array.from({ length: 100 }, (_, pid) => pid),
    2,
  )
  const refusal = await waitForHome(stream, { ...TIMING, waitsMs: 2_000 }).catch((error: Error) => error)
  assert.is(codeOf(refusal), 'home_in_use')
  assert.match((refusal as Error).message, /^in use by \d+ Others had it .*"pullquote serve"/)
})

test('another error is thrown at once, and a wait can be cancelled', async () => {
  const other = async () => {
    throw new CodedError('home_unusable', 'no')
  }
  assert.is(await waitForHome(other, TIMING).catch(codeOf), 'home_unusable')
  const controller = new AbortController()
  const waiting = waitForHome(busy([11], 1_000_000), { ...TIMING, waitMs: 60_000, signal: controller.signal })
  setTimeout(() => controller.abort(), 20)
  assert.is(await waiting.catch((error: Error) => error.name), 'Cancelled')
})

test.run()
