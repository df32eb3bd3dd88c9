import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { FILE_ERROR, FILE_ERROR_AT, FILE_ERRORS, PROGRESS } from '../../../server/db/embedded/progress.js'
import { sharedProgress, watchThread } from '../../../server/db/embedded/watchdog.ts'
import { suite } from '../../suite.ts'

const test = suite('the watch over the database’s thread')

/** Looks at once and often, so that only their number matters. */
const LIMITS = { everyMs: 1, afterTrouble: 5, statement: 2_000 }

function watched({ full = false, limits = LIMITS } = {}) {
  const shared = sharedProgress()
  const said: (string | undefined)[] = []
  let looks = 0
  const isFull = () => {
    looks++
    return full
  }
  const end = watchThread(shared, isFull, (trouble) => said.push(trouble), limits)
  return { shared, said, end, looks: () => looks }
}

function trouble(shared: Int32Array, code: string): void {
  Atomics.store(shared, FILE_ERROR, FILE_ERRORS.indexOf(code))
  Atomics.store(shared, FILE_ERROR_AT, Atomics.load(shared, PROGRESS))
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(2)
}

test('one that stands still after a write without room is stuck, and that is said once', async () => {
  const { shared, said } = watched()
  trouble(shared, 'ENOSPC')
  await until(() => said.length > 0)
  await sleep(30)
  assert.equal(said, ['ENOSPC'])
})

test('one that stands still on a full disk is stuck, though no write was seen to fail', async () => {
  const { said } = watched({ full: true })
  await until(() => said.length > 0)
  assert.equal(said, ['ENOSPC'])
})

test('one that goes on after a refused write is left alone', async () => {
  const { shared, said, end } = watched()
  trouble(shared, 'ENOSPC')
  for (let i = 0; i < 60; i++) {
    Atomics.add(shared, PROGRESS, 1)
    await sleep(2)
  }
  end()
  assert.equal(said, [])
})

test('a long statement is left alone, also when an earlier one had no room', async () => {
  const { shared, said, end, looks } = watched()
  trouble(shared, 'ENOSPC')
  Atomics.add(shared, PROGRESS, 5_000)
  await until(() => looks() > 50)
  end()
  assert.equal(said, [])
})

test('one that does nothing at all for a very long time is stuck', async () => {
  const { said } = watched({ limits: { ...LIMITS, statement: 40 } })
  await until(() => said.length > 0)
  assert.equal(said, [undefined])
})

test.run()
