import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { projectsByServer } from '../../server/db/cluster.ts'
import { connect } from '../../server/db/connect.ts'
import type { Log, Pool } from '../../server/deps.ts'
import type { Embedder } from '../../server/embed/embedder.ts'
import { Worker } from '../../server/indexing/worker.ts'
import { accept } from '../../server/ingest/accept.ts'
import { activateModel } from '../../server/sql/installation/installation.ts'
import type { Project } from '../../server/sql/projects/projects.ts'
import { createCitusDatabase } from '../citus-database.ts'
import { makeProject, review } from '../sql/fixtures.ts'
import { suite } from '../suite.ts'

const embedder: Embedder = {
  id: 'one vector',
  dimensions: 3,
  embed: async (texts) => texts.map(() => new Float32Array([1, 0, 0])),
}

const test = suite('indexing while a server of the cluster is lost')

test("the other servers' projects are indexed, and the lost one's when it is back", async () => {
  const { url, drop } = await createCitusDatabase()
  const sql = connect({ url })
  const words: string[] = []
  const log: Log = {
    debug() {},
    info: (_, message) => words.push(message),
    warn: (_, message) => words.push(message),
    error: (_, message) => words.push(message),
  }
  const { modelId } = await activateModel(sql, { name: embedder.id, dimensions: embedder.dimensions })
  const projects: Project[] = []
  while ((await projectsByServer(sql)).size < 2) projects.push(await makeProject(sql))
  const [[lost = 0, [lostId = ''] = []] = [], [, [livingId = ''] = []] = []] = [...(await projectsByServer(sql))]
  const worker = new Worker({ sql, embedder, classify: () => 'neutral', log, modelId })
  // Where nobody listens: what is sent there is refused at once, as by a server whose process is gone.
  const move = async (port: number) => {
    await sql`update pg_dist_node set nodeport = ${port} where groupid = ${lost}`
  }
  const [node] = await sql<{ port: number }[]>`select nodeport as port from pg_dist_node where groupid = ${lost}`
  try {
    for (const id of [lostId, livingId]) await accept(sql, { id }, 'live', [review('before')], {})
    assert.ok(await within(20_000, async () => (await waiting(sql, lostId)) + (await waiting(sql, livingId)) === 0))
    await worker.stop(0)
    for (const id of [lostId, livingId]) await accept(sql, { id }, 'live', [review('after')], {})
    await move(1)
    const other = new Worker({ sql, embedder, classify: () => 'neutral', log, modelId })
    assert.ok(await within(10_000, async () => (await waiting(sql, livingId)) === 0))
    // As a server does that starts meanwhile.
    assert.equal(await activateModel(sql, { name: embedder.id, dimensions: embedder.dimensions }), {
      modelId,
      reindexing: 0,
    })
    // What waits where the server is lost takes nobody's turn.
    const limits = { queueDepth: 1, dailyEmbeddings: 1_000 }
    const accepted = await accept(sql, { id: livingId }, 'live', [review('later')], limits)
    assert.is('deferred' in accepted && accepted.deferred, false)
    assert.ok(await within(10_000, async () => (await waiting(sql, livingId)) === 0))
    assert.is(other.state().waiting, undefined)
    assert.ok(
      words.some((word) => word.startsWith('a server of the cluster is lost')),
      words.join('\n'),
    )
    await move(node?.port ?? 0)
    assert.ok(await within(20_000, async () => (await waiting(sql, lostId)) === 0))
    assert.ok(words.includes('every server of the cluster answers again'))
    await other.stop(0)
  } finally {
    await move(node?.port ?? 0)
    await worker.stop(0)
    await sql.end()
    await drop()
  }
})

async function waiting(sql: Pool, projectId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::int from index_jobs where project_id = ${projectId}`
  return row?.count ?? 0
}

async function within(milliseconds: number, holds: () => Promise<boolean>): Promise<boolean> {
  for (const end = Date.now() + milliseconds; Date.now() < end; await sleep(100)) if (await holds()) return true
  return false
}

test.run()
