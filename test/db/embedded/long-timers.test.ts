import { setImmediate as turn } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { LONGEST_TIMER, shortenTimers } from '../../../server/db/embedded/long-timers.js'
import { suite } from '../../suite.ts'

const test = suite('timers of the embedded database')

test('one of years waits as long as Node can, others as they were asked', () => {
  const asked: unknown[][] = []
  const scope = { setTimeout: (...values: unknown[]) => asked.push(values) }
  shortenTimers(scope)
  const work = () => {}
  scope.setTimeout(work, 108_781_202_485, 'a')
  scope.setTimeout(work, 250)
  scope.setTimeout(work)
  assert.equal(asked, [
    [work, LONGEST_TIMER, 'a'],
    [work, 250],
    [work, undefined],
  ])
})

test('and Node takes that', async () => {
  const warned: string[] = []
  const onWarning = ({ name }: Error) => void warned.push(name)
  process.on('warning', onWarning)
  clearTimeout(setTimeout(() => {}, LONGEST_TIMER))
  await turn()
  assert.equal(warned, [])
  process.off('warning', onWarning)
})

test.run()
