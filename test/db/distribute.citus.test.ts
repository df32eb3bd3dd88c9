import * as assert from 'uvu/assert'
import { describeSchema } from '../../scripts/describe-schema.ts'
import { connect } from '../../server/db/connect.ts'
import { distribute, distributionOf, NotDistributable } from '../../server/db/distribute.ts'
import { migrate } from '../../server/db/migrate.ts'
import { accept } from '../../server/ingest/accept.ts'
import { deleteProject, purgeDeletedProjects } from '../../server/sql/projects/delete-project.ts'
import { createCitusDatabase } from '../citus-database.ts'
import { silent } from '../database.ts'
import { makeProject, markIndexed, review } from '../sql/fixtures.ts'
import { suite } from '../suite.ts'

const test = suite('distributing a database')

test('an existing database is distributed with its rows, once; it can be run again, and deleting a project leaves nothing', async () => {
  const { url, drop } = await createCitusDatabase({ distributed: false })
  const sql = connect({ url })
  try {
    const projects = [await makeProject(sql), await makeProject(sql), await makeProject(sql)]
    for (const project of projects) {
      await accept(sql, project, 'live', [review('a'), review('b')], {})
      await markIndexed(sql, project.id)
    }
    const references = async () =>
      (await describeSchema(sql))
        .split('\n')
        .filter((line) => line.includes('FOREIGN KEY'))
        .sort()
    const before = await references()
    const rows = async () => {
      const [counts] = await sql<{ reviews: number; excerpts: number; projects: number }[]>`
        select (select count(*) from reviews)::int as reviews, (select count(*) from excerpts)::int as excerpts,
          (select count(*) from projects)::int as projects`
      return { ...counts }
    }
    assert.equal(await rows(), { reviews: 6, excerpts: 6, projects: 3 })
    const earlier = await distribute(sql, silent)
    assert.ok(earlier.tables.every(({ actual }) => actual === 'local'))
    assert.equal(await rows(), { reviews: 6, excerpts: 6, projects: 3 })
    assert.equal(await references(), before)
    const after = await distributionOf(sql)
    assert.is(after.workers.length, 2)
    assert.ok(after.tables.every(({ wanted, actual }) => wanted === actual))
    assert.ok((await distribute(sql, silent)).tables.every(({ wanted, actual }) => wanted === actual))
    await migrate(sql, silent)
    assert.ok(await deleteProject(sql, projects[0]?.id ?? ''))
    assert.is(await purgeDeletedProjects(sql), 1)
    assert.equal(await rows(), { reviews: 4, excerpts: 4, projects: 2 })
  } finally {
    await sql.end()
    await drop()
  }
})

test('a cluster without workers is refused in words, and nothing is changed', async () => {
  const { url, drop } = await createCitusDatabase({ distributed: false })
  const sql = connect({ url, max: 1 })
  try {
    const nodes = await sql<{ host: string; port: number }[]>`
      select nodename as host, nodeport as port from pg_dist_node where groupid > 0`
    for (const { host, port } of nodes) await sql`select citus_remove_node(${host}, ${port})`
    await distribute(sql, silent)
    assert.unreachable()
  } catch (error) {
    if (!(error instanceof NotDistributable)) throw error
    assert.is(error.code, 'no_workers')
    assert.match(error.message, /citus_add_node/)
  } finally {
    await sql.end()
    await drop()
  }
})

test.run()
