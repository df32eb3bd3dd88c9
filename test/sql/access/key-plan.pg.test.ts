import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { connect } from '../../../server/db/connect.ts'
import { authenticate } from '../../../server/sql/access/authenticate.ts'
import { createPostgresDatabase } from '../../database.ts'
import { suite } from '../../suite.ts'
import { makeProject, sha256 } from '../fixtures.ts'

const test = suite('the plan by which keys are looked up')

test('one plan, by the index, for any number at once: also when it was made while there were few keys', async () => {
  const db = await createPostgresDatabase()
  const sql = connect({ url: db.url, max: 1 })
  const project = await makeProject(sql)
  const hashes = Array.from({ length: 300 }, () => sha256(randomUUID()))
  const add = (some: Buffer[]) => sql`
    insert into api_keys (project_id, env, kind, key_hash, hint)
    select ${project.id}, 'live', 'secret', decode(hash, 'hex'), 'Zz09'
    from unnest(${some.map((hash) => hash.toString('hex'))}::text[]) as hash`
  const lookUp = (some: Buffer[]) => Promise.all(some.map((hash) => authenticate(sql, hash)))
  const plans = async () => {
    const [row] = await sql<{ name: string; generic: number; custom: number }[]>`
      select name, generic_plans::int as generic, custom_plans::int as custom
      from pg_prepared_statements where statement like ${'%rate_windows as current%'}`
    if (!row) throw new Error('The statement is not prepared')
    return row
  }

  await add(hashes.slice(0, 5))
  for (let time = 0; time < 10; time++) await lookUp(hashes.slice(0, 1 + (time % 4)))
  await add(hashes.slice(5))
  for (let time = 0; time < 10; time++) await lookUp(hashes.slice(time * 10, time * 10 + 1 + time))
  const { name, generic, custom } = await plans()
  assert.is(custom, 5, 'PostgreSQL plans the first five anew in any case')
  assert.is(generic, 15)

  const [keys, requests] = [hashes.slice(0, 4).map((hash) => hash.toString('hex')), [1, 1, 1, 1]]
  const rest = ', 60, 5, 60, 5, 60, 60'
  const plan = await sql.unsafe(`explain execute "${name}" ('{${keys}}', '{${requests}}'${rest})`)
  const lines = plan.map((row) => String(row['QUERY PLAN']))
  const at = lines.findIndex((line) => line.includes('CTE key'))
  const lookedUp = lines.slice(
    at,
    lines.findIndex((line) => line.includes('CTE counted')),
  )
  assert.ok(
    lookedUp.some((line) => line.includes('Index Scan using api_keys_key_hash_key')),
    lookedUp.join('\n'),
  )
  await sql.end()
  await db.drop()
})

test.run()
