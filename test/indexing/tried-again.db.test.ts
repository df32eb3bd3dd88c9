import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { restoreBackup } from '../../server/db/backup/restore.ts'
import { writeBackup } from '../../server/db/backup/write.ts'
import { activateModel } from '../../server/sql/installation/installation.ts'
import { queueCounts } from '../../server/sql/queue/counts.ts'
import { failReviews } from '../../server/sql/queue/fail.ts'
import { endLeases } from '../../server/sql/queue/lease.ts'
import { listSetAside, retrySetAside } from '../../server/sql/queue/set-aside.ts'
import { openTestDatabase } from '../database.ts'
import { many, pipelineSuite } from './pipeline.ts'
import { POISON, refusing, token } from './poisoned.ts'
import { queueOf } from './queue-of.ts'

const { test, pipeline } = pipelineSuite('what brings back a review that is set aside')

const { claim, counts, untilNothingIsQueued } = queueOf(pipeline)

async function setPoisonAside(): Promise<void> {
  await pipeline.push([POISON])
  for (let n = 1; n <= 2; n++) {
    const [review] = (await claim(token(n))).reviews
    if (!review) throw new Error('nothing was claimed')
    await failReviews(
      pipeline.sql,
      { token: token(n), projectId: pipeline.projectId },
      [review],
      'refused with 400',
      true,
    )
    if (n === 1) await pipeline.timePasses()
  }
  assert.equal(await counts(), { queued: 0, setAside: 1 })
}

test('what is set aside is listed with the latest first, of one project or of all', async () => {
  const accepted = await pipeline.push(['a', 'b', 'c'].map((external_id) => ({ external_id })))
  for (const [day, { id }] of accepted.entries())
    await pipeline.sql`update index_jobs set set_aside_at = ${new Date(Date.UTC(2026, 0, 1 + day))} where review_id = ${id}`
  const list = async (projectId?: string) => {
    const { total, reviews } = await listSetAside(pipeline.sql, { limit: 2, projectId })
    return [total, ...reviews.map((review) => review.external_id)]
  }
  assert.equal(await list(), [3, 'c', 'b'])
  assert.equal(await list(pipeline.projectId), [3, 'c', 'b'])
  assert.equal(await list('00000000-0000-4000-8000-000000000000'), [0])
})

test('neither time nor a restart brings back what is set aside', async () => {
  await setPoisonAside()
  await endLeases(pipeline.sql)
  assert.is((await claim(token(9))).reviews.length, 0)
  const worker = pipeline.start()
  await worker.idle()
  assert.is(worker.embedder.calls, 0)
  assert.equal(await counts(), { queued: 0, setAside: 1 })
})

test('a new text is indexed', async () => {
  await setPoisonAside()
  await pipeline.push([{ external_id: 'bad', text: 'Harmless now.' }])
  await pipeline.start().idle()
  assert.equal(await pipeline.status(), { bad: 'indexed' })
  assert.equal(await counts(), { queued: 0, setAside: 0 })
})

test('another model tries again', async () => {
  await setPoisonAside()
  const { modelId } = await activateModel(pipeline.sql, { name: 'fake/2', dimensions: 4 })
  await pipeline.start({ modelId }).idle()
  assert.equal(await pipeline.status(), { bad: 'indexed' })
})

test('what is asked to be tried again is new: it fails twice before it is set aside once more', async () => {
  await setPoisonAside()
  assert.is(await retrySetAside(pipeline.sql, { projectId: '00000000-0000-4000-8000-000000000000' }), 0)
  assert.is(await retrySetAside(pipeline.sql, { projectId: pipeline.projectId }), 1)
  assert.equal(await counts(), { queued: 1, setAside: 0 })
  const embedder = refusing()
  const worker = pipeline.start({ embedder })
  await untilNothingIsQueued(worker)
  assert.is(embedder.calls, 2)
  await retrySetAside(pipeline.sql)
  embedder.before = undefined
  await untilNothingIsQueued(worker)
  assert.equal(await pipeline.status(), { bad: 'indexed' })
})

test('a backup keeps what is set aside, and forgets leases of servers that are elsewhere', async () => {
  await setPoisonAside()
  await pipeline.push(many(2))
  await claim(token(5))
  const folder = mkdtempSync(join(tmpdir(), 'pullquote-set-aside-'))
  const target = await openTestDatabase()
  try {
    const path = join(folder, 'backup.jsonl.gz')
    await writeBackup(pipeline.sql, createWriteStream(path))
    await restoreBackup(target.sql, path)
    const { queued, set_aside: setAside } = await queueCounts(target.sql)
    assert.equal({ queued, setAside }, { queued: 2, setAside: 1 })
    assert.is((await listSetAside(target.sql, { limit: 1 })).reviews[0]?.reason, 'refused with 400')
    const [leases] =
      await target.sql`select count(lease_token)::int as n, count(*) filter (where run_at <= now())::int as due from index_jobs`
    assert.equal(leases, { n: 0, due: 2 })
  } finally {
    await target.close()
    rmSync(folder, { recursive: true })
  }
})

test.run()
