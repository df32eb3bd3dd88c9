/** Pages of the operator's lists: projects, keys and links to the console. */
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { assertRefusal } from '../http/answers.ts'
import { OPERATOR_TOKEN } from '../http/service.ts'
import { serviceOnTransports } from '../http/service-on-transports.ts'
import { suite } from '../suite.ts'

const test = suite("pages of the operator's lists")

const { service, transports } = serviceOnTransports(test)

const listed = v.object({ id: v.string(), created_at: v.string() })
const list = v.object({
  projects: v.optional(v.array(listed), []),
  keys: v.optional(v.array(listed), []),
  links: v.optional(v.array(listed), []),
  next_cursor: v.nullable(v.string()),
})

const send = (path: string) =>
  transports['app.fetch'].send({ method: 'GET', path, headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } })

async function read(path: string, parameters: Record<string, string> = {}) {
  const response = await send(`${path}?${new URLSearchParams(parameters)}`)
  assert.is(response.status, 200, await response.clone().text())
  const { projects, keys, links, next_cursor } = v.parse(list, await response.json())
  return { ids: [...projects, ...keys, ...links].map(({ id }) => id), next_cursor }
}

async function pages(path: string, limit: number, onPage = async (_ids: string[]) => {}) {
  const found: string[][] = []
  let cursor: string | null = null
  do {
    const page: { ids: string[]; next_cursor: string | null } = await read(path, {
      limit: String(limit),
      ...(cursor === null ? {} : { cursor }),
    })
    found.push(page.ids)
    await onPage(page.ids)
    cursor = page.next_cursor
  } while (cursor !== null)
  return found
}

async function fill(): Promise<void> {
  const { sql } = service.deps
  // At one moment, so that only their ids tell them apart.
  await sql`insert into projects (name, created_at) select 'inn ' || gen_random_uuid(), now() from generate_series(1, 7)`
  await sql`
    insert into api_keys (project_id, env, kind, key_hash, hint, created_at)
    select id, 'live', 'secret', sha256(convert_to(id::text, 'utf8')), 'hint', now() from projects where name like 'inn %'`
  await sql`
    insert into console_links (project_id, token_hash, expires_at, created_at)
    select id, sha256(convert_to(id::text, 'utf8')), now() + interval '1 day', now() from projects where name like 'inn %'`
}

for (const path of ['/operator/projects', '/operator/keys', '/operator/console-links']) {
  test(`${path}: pages together are the whole list, each item once, in its order`, async () => {
    await fill()
    const whole = await read(path)
    assert.is(whole.next_cursor, null)
    assert.ok(whole.ids.length >= 7)
    for (const limit of [1, 3, 500]) {
      const found = await pages(path, limit)
      assert.equal(found.flat(), whole.ids, `${limit}`)
      assert.ok(found.slice(0, -1).every((ids) => ids.length === limit))
    }
  })

  test(`${path}: a cursor that was changed or is of another list is refused`, async () => {
    await fill()
    const { next_cursor: cursor } = await read(path, { limit: '2' })
    assert.ok(cursor)
    const others = ['/operator/projects', '/operator/keys', '/operator/console-links'].filter((one) => one !== path)
    for (const refused of [
      `${path}?limit=2&cursor=${cursor?.slice(0, -1)}`,
      `${path}?limit=2&cursor=${cursor?.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))}`,
      `${path}?cursor=`,
      `${path}?limit=0`,
      `${path}?limit=501`,
      ...others.map((other) => `${other}?limit=2&cursor=${cursor}`),
    ]) {
      await assertRefusal(await send(refused), 'validation_failed', refused)
    }
  })
}

test('keys of one project have pages of their own', async () => {
  await fill()
  const { sql } = service.deps
  const [one] = await sql<{ id: string }[]>`select id from projects where name like 'inn %' limit 1`
  await sql`insert into api_keys (project_id, env, kind, key_hash, hint)
    select ${one?.id ?? ''}, 'test', 'secret', sha256(convert_to(n::text || clock_timestamp(), 'utf8')), 'hint' from generate_series(1, 2) n`
  const path = '/operator/keys'
  const first = await read(path, { project: one?.id ?? '', limit: '2' })
  const rest = await read(path, { project: one?.id ?? '', cursor: first.next_cursor ?? '' })
  assert.is(first.ids.length, 2)
  assert.is(rest.ids.length, 1)
  await assertRefusal(await send(`${path}?limit=2&cursor=${first.next_cursor}`), 'validation_failed', 'of one project')
})

test('a project that is made or deleted between two pages moves no other', async () => {
  await fill()
  const { sql } = service.deps
  const { ids } = await read('/operator/projects')
  let began = false
  const found = await pages('/operator/projects', 3, async (page) => {
    if (began) return
    began = true
    await sql`delete from projects where id = ${page[0] ?? ''}`
    await sql`insert into projects (name) values ('inn the last')`
  })
  assert.equal(found.flat().slice(0, -1), ids)
})

test('the list tells how many reviews each project holds', async () => {
  await fill()
  const { sql } = service.deps
  await sql`
    insert into environments (project_id, env, review_count)
    select id, env, case env when 'live' then 5 else 2 end from projects, unnest(array['live', 'test']) env where name like 'inn %'`
  const response = await send('/operator/projects?limit=500')
  const counts = v.object({
    projects: v.array(v.object({ name: v.string(), reviews: v.object({ live: v.number(), test: v.number() }) })),
  })
  const inns = v.parse(counts, await response.json()).projects.filter(({ name }) => name.startsWith('inn '))
  assert.is(inns.length, 7)
  for (const { reviews } of inns) assert.equal(reviews, { live: 5, test: 2 })
})

test.after.each(async () => {
  await service.deps.sql`delete from projects where name like 'inn %'`
})

test.run()
