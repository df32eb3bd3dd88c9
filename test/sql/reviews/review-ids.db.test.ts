import * as assert from 'uvu/assert'
import { reviewIdsFrom } from '../../../server/sql/reviews/review-ids.ts'
import { openService, type TestService } from '../../http/service.ts'
import { suite } from '../../suite.ts'

const test = suite('ids by how they begin')
const IDS = [
  '3f0c9a4e-8f55-4d0b-9a54-0f6f5b1f7f10',
  '3f0c9a4e-8f55-4d0b-9a54-0f6f5b1f7f11',
  '3f0d0000-0000-4000-8000-000000000000',
  'ffffffff-ffff-4fff-bfff-ffffffffffff',
]
let service: TestService

test.before(async () => {
  service = await openService()
  const { sql } = service.database
  const other = await service.makeProject('other')
  const rows: [string, string, string][] = [
    ...IDS.map((id): [string, string, string] => [service.project.id, 'live', id]),
    [service.project.id, 'test', '3f0c0000-0000-4000-8000-00000000000a'],
    [other.id, 'live', '3f0c0000-0000-4000-8000-00000000000b'],
  ]
  for (const [project, env, id] of rows) {
    await sql`
      insert into reviews (project_id, env, id, source, external_id, text, author_name, occurred_at)
      values (${project}, ${env}, ${id}, 'custom', ${id}, 'text', 'A', now())`
  }
})
test.after(() => service.close())

const from = (beginning: string, limit = 10) =>
  reviewIdsFrom(service.database.sql, { projectId: service.project.id, env: 'live' }, beginning, limit)

test('what begins so in this project and environment, and nothing else', async () => {
  assert.equal(await from('3f0c'), IDS.slice(0, 2))
  assert.equal(await from('3F0C9A4E-'), IDS.slice(0, 2))
  assert.equal(await from('3f0'), IDS.slice(0, 3))
  assert.equal(await from('3f0c9a4e-8f55-4d0b-9a54-0f6f5b1f7f11'), IDS.slice(1, 2))
  assert.equal(await from('ffff'), IDS.slice(3))
  assert.equal(await from('3f0c', 1), IDS.slice(0, 1))
})

test('a hyphen stands where a UUID has one, or nothing begins so', async () => {
  for (const beginning of ['3f0c-', '3f0c9a4e8-f55', '3f0c9a4e--', `${IDS[0]}0`])
    assert.equal(await from(beginning), [])
})

test.run()
