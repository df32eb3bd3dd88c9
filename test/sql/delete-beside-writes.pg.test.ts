/**
 * A project that is deleted while its reviews are saved and changed. Deleting locks the project, then its reviews; who holds
 * a review must not ask for the project. It needs two connections, so PostgreSQL.
 */
import { randomUUID } from 'node:crypto'
import postgres from 'postgres'
import * as assert from 'uvu/assert'
import { connect } from '../../server/db/connect.ts'
import { migrate } from '../../server/db/migrate.ts'
import type { Pool } from '../../server/deps.ts'
import { accept } from '../../server/ingest/accept.ts'
import { saveExcerpts, serializeRows } from '../../server/sql/excerpts/save-excerpts.ts'
import { activateModel } from '../../server/sql/installation/installation.ts'
import { deleteProject } from '../../server/sql/projects/delete-project.ts'
import type { Project } from '../../server/sql/projects/projects.ts'
import { claimReviews } from '../../server/sql/queue/claim.ts'
import { deleteReview, patchReview } from '../../server/sql/reviews/reviews.ts'
import { createPostgresDatabase, silent } from '../database.ts'
import { suite } from '../suite.ts'
import { makeProject, review } from './fixtures.ts'

const test = suite('a project deleted beside writes')
let drop: () => Promise<void>
let sql: Pool
let deleting: postgres.Sql
let modelId = 0

test.before(async () => {
  const database = await createPostgresDatabase()
  drop = database.drop
  sql = connect({ url: database.url })
  await migrate(sql, silent)
  modelId = (await activateModel(sql, { name: 'test', dimensions: 3 })).modelId
  deleting = postgres(database.url, { max: 1, onnotice() {} })
})
test.after(async () => {
  await deleting?.end()
  await sql?.end()
  await drop?.()
})

async function projectWithReview(): Promise<{ project: Project; id: string }> {
  const project = await makeProject(sql)
  const accepted = await accept(sql, project, 'live', [review('a')], {})
  if ('limit' in accepted) throw new Error('no room')
  return { project, id: accepted.reviews[0]?.id ?? '' }
}

/** Whether `work` ends although a deletion has locked the project, and not only when that is over. */
async function endsBeside(project: Project, work: () => Promise<unknown>): Promise<boolean> {
  await deleting`begin`
  await deleting`select 1 from projects where id = ${project.id} for update`
  let ended = false
  const working = work().finally(() => {
    ended = true
  })
  let waits = false
  while (!ended && !waits) {
    const [row] = await deleting<{ count: number }[]>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    waits = (row?.count ?? 0) > 0
  }
  await deleting`rollback`
  await working
  return !waits
}

test('a save waits for no deletion of its project', async () => {
  const { project, id } = await projectWithReview()
  const token = randomUUID()
  await claimReviews(sql, { token, projectId: project.id, limit: 10, leaseSeconds: 30, modelId, newestFirst: false })
  const excerpt = {
    id: randomUUID(),
    start: 0,
    end: 3,
    text: 'The',
    vector: new Float32Array([1, 0, 0]),
    verdict: 'neutral' as const,
    sentences: [],
  }
  const indexed = { projectId: project.id, reviewId: id, excerpts: [excerpt], sentiment: null }
  let saved = new Set<string>()
  const save = async () => {
    saved = await saveExcerpts(sql, { token, projectId: project.id, modelId }, [serializeRows(indexed)])
  }
  assert.ok(await endsBeside(project, save))
  assert.equal([...saved], [id])
})

test('nor does hiding a review, or deleting one', async () => {
  const { project, id } = await projectWithReview()
  assert.ok(
    await endsBeside(project, () => patchReview(sql, { projectId: project.id, env: 'live' }, id, { hidden: true })),
  )
  assert.ok(await endsBeside(project, () => deleteReview(sql, { projectId: project.id, env: 'live' }, id)))
})

test('what changed goes with the project', async () => {
  const { project } = await projectWithReview()
  const left = async () => {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from search_changes where project_id = ${project.id}`
    return row?.count
  }
  assert.is(await left(), 1)
  assert.ok(await deleteProject(sql, project.id))
  assert.is(await left(), 0)
})

test.run()
