import { setImmediate as turn } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { ApiError } from '../../../server/http/api-error.ts'
import { UploadQueue, UploadQueues } from '../../../server/routes/imports/upload-queue.ts'
import { suite } from '../../suite.ts'

const test = suite('queues of imports')

/** Imports that end when they are told to. */
function imports(queue: UploadQueue, count: number) {
  const started: number[] = []
  const ends: (() => void)[] = []
  const all = Array.from({ length: count }, (_, index) =>
    queue.run(() => {
      started.push(index)
      return new Promise<number>((resolve, reject) => {
        ends[index] = () => (index === 1 ? reject(new Error('failed')) : resolve(index))
      })
    }),
  )
  return { started, ends, all }
}

test('one import runs after the other, also after one that fails', async () => {
  const { started, ends, all } = imports(new UploadQueue(), 3)
  await turn()
  assert.equal(started, [0])
  ends[0]?.()
  assert.is(await all[0], 0)
  await turn()
  assert.equal(started, [0, 1])
  ends[1]?.()
  assert.is(await all[1]?.catch((error) => error.message), 'failed')
  await turn()
  assert.equal(started, [0, 1, 2])
  ends[2]?.()
  assert.is(await all[2], 2)
})

test('past those that wait an upload is refused at once, to be sent again, and let in when there is room', async () => {
  const queue = new UploadQueue()
  const { ends, all } = imports(queue, 9)
  await turn()
  try {
    queue.assertNotFull()
    assert.unreachable()
  } catch (error) {
    assert.ok(error instanceof ApiError && error.code === 'service_unavailable' && error.retryAfterSeconds === 5)
  }
  assert.throws(() => queue.run(async () => 'too late'), /send the file again/)
  ends[0]?.()
  await all[0]
  const late = queue.run(async () => 'late')
  for (let index = 1; index < 9; index++) {
    await turn()
    ends[index]?.()
    await all[index]?.catch(() => {})
  }
  assert.is(await late, 'late')
})

test('a small file does not wait for large ones, and an archive counts as large', async () => {
  const queues = new UploadQueues()
  const large = queues.queueFor({ bytes: new Uint8Array(1_048_577), isZip: false })
  const { ends, all } = imports(large, 1)
  const small = queues.queueFor({ bytes: new Uint8Array(1_048_576), isZip: false })
  assert.is(await small.run(async () => 'small'), 'small')
  assert.is(queues.queueFor({ bytes: new Uint8Array(10), isZip: true }), large)
  ends[0]?.()
  await all[0]
})

test.run()
