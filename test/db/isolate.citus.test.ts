import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { connect } from '../../server/db/connect.ts'
import { accept } from '../../server/ingest/accept.ts'
import { createCitusDatabase } from '../citus-database.ts'
import { makeProject, review } from '../sql/fixtures.ts'
import { suite } from '../suite.ts'

const test = suite('a project that gets a shard of its own')

test('what was pushed meanwhile is there, with its job and in the count', async () => {
  const { url, drop } = await createCitusDatabase()
  const sql = connect({ url })
  try {
    const project = await makeProject(sql)
    const accepted: string[] = []
    let over = false
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let n = 0; !over; n++) {
        const id = `${writer}-${n}`
        await accept(sql, project, 'live', [review(id)], {})
        accepted.push(id)
      }
    })
    await sleep(500)
    // It takes longer than a request may.
    await sql.begin(async (tx) => {
      await tx`set local statement_timeout = 0`
      await tx`select isolate_tenant_to_new_shard('reviews', ${project.id}::text, 'CASCADE', shard_transfer_mode := 'block_writes')`
    })
    await sleep(500)
    over = true
    await Promise.all(writers)
    const stored = await sql<{ id: string }[]>`select external_id as id from reviews where project_id = ${project.id}`
    assert.equal(stored.map(({ id }) => id).sort(), accepted.sort())
    const [counts] = await sql<{ reviews: number; jobs: number }[]>`
      select review_count as reviews, (select count(*)::int from index_jobs where project_id = ${project.id}) as jobs
      from environments where project_id = ${project.id} and env = 'live'`
    assert.equal({ ...counts }, { reviews: accepted.length, jobs: accepted.length })
  } finally {
    await sql.end()
    await drop()
  }
})

test.run()
