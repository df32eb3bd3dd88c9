import { setTimeout as pause } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { untilAborted } from '../../server/abort.ts'
import { suite } from '../suite.ts'

const test = suite('work that a signal ends')

test('may fail later, before or after the signal, which is nobody’s error', async () => {
  const unhandled: unknown[] = []
  const note = (error: unknown) => void unhandled.push(error)
  process.on('unhandledRejection', note)
  const failsSoon = () => pause(5).then(() => Promise.reject(new Error('too late')))
  for (const signal of [AbortSignal.abort('stop'), AbortSignal.timeout(1)]) {
    const reason = await untilAborted(failsSoon(), signal).catch((error: unknown) => error)
    assert.is(reason, signal.reason)
  }
  await pause(20)
  process.off('unhandledRejection', note)
  assert.equal(unhandled, [])
})

test.run()
