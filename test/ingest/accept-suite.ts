import type { Pool } from '../../server/deps.ts'
import { type Accepted, type AcceptRow, accept } from '../../server/ingest/accept.ts'
import type { Project } from '../../server/sql/projects/projects.ts'
import type { Environment } from '../../src/contract/review.ts'
import { openTestDatabase, type TestDatabase } from '../database.ts'
import { makeProject } from '../sql/fixtures.ts'
import { suite } from '../suite.ts'

/** A database with one project, into which reviews are pushed. */
class AcceptFixture {
  sql!: Pool
  project!: Project

  /** @throws where not all of them fit */
  async push(rows: AcceptRow[], env: Environment = 'live', allowance = {}): Promise<Accepted> {
    const answer = await accept(this.sql, this.project, env, rows, allowance)
    if ('limit' in answer) throw new Error(`limit: ${answer.limit.remaining} remain`)
    return answer
  }

  jobsOf(id: string) {
    return this.sql`select * from index_jobs where review_id = ${id}`
  }
}

/** A suite in which each test finds a project without reviews. */
export function acceptSuite(title: string) {
  const test = suite(title)
  const at = new AcceptFixture()
  let database: TestDatabase
  test.before(async () => {
    database = await openTestDatabase()
    at.sql = database.sql
  })
  test.before.each(async () => {
    at.project = await makeProject(at.sql)
  })
  test.after(() => database.close())
  return { test, at }
}
