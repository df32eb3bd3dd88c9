import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { accept } from '../../../server/ingest/accept.ts'
import { deleteProject, purgeDeletedProjects } from '../../../server/sql/projects/delete-project.ts'
import {
  createProject,
  getProject,
  listProjects,
  type ProjectSettings,
  updateProject,
} from '../../../server/sql/projects/projects.ts'
import { nextVacuumed, removeReviews } from '../../../server/sql/reviews/remove-reviews.ts'
import { openTestDatabase, type TestDatabase } from '../../database.ts'
import { suite } from '../../suite.ts'
import { makeProject, review, revisionOf } from '../fixtures.ts'

const test = suite('projects')
let db: TestDatabase

test.before(async () => {
  db = await openTestDatabase()
})
test.before.each(async () => {
  await db.sql`delete from projects`
})
test.after(() => db.close())

const create = (settings: ProjectSettings & { name: string }) => createProject(db.sql, settings)

test('a new project has the contract’s defaults and both environments', async () => {
  const project = await create({ name: 'Harbour Inn' })
  if (typeof project === 'string') throw new Error(project)
  const { id, createdAt, ...settings } = project
  assert.equal(settings, {
    name: 'Harbour Inn',
    plan: 'free',
    similarityFloor: 0.66,
    minRating: 4,
    excerpts: 'all',
    allowedOrigins: [],
    settingsRevision: 0,
  })
  assert.ok(Math.abs(createdAt.getTime() - Date.now()) < 60_000)
  assert.is(await revisionOf(db.sql, id, 'live'), 0)
  assert.is(await revisionOf(db.sql, id, 'test'), 0)
})

test('a name is taken once', async () => {
  await create({ name: 'Harbour Inn', plan: 'paid' })
  assert.is(await create({ name: 'Harbour Inn', plan: 'paid' }), 'name_taken')
})

test('the free plan has one project', async () => {
  await create({ name: 'one' })
  assert.is(await create({ name: 'two' }), 'free_project_limit')
  assert.is(typeof (await create({ name: 'three', plan: 'paid' })), 'object')
  assert.is(typeof (await create({ name: 'four' })), 'object')
})

test('the operator may set another number of projects', async () => {
  await create({ name: 'one' })
  assert.is(typeof (await createProject(db.sql, { name: 'two' }, 2)), 'object')
  assert.is(await createProject(db.sql, { name: 'three', plan: 'paid' }, 2), 'project_limit')
})

test('the paid plan has 50 projects, also when they are created at once', async () => {
  const made = await Promise.all(Array.from({ length: 60 }, (_, i) => create({ name: `inn ${i}`, plan: 'paid' })))
  assert.is(made.filter((project) => typeof project === 'object').length, 50)
  assert.is(made.filter((project) => project === 'project_limit').length, 10)
  assert.is(await create({ name: 'a free one' }), 'project_limit')
  assert.is((await listProjects(db.sql)).length, 50)
})

test('a project is found by id or name, which is no other project’s id', async () => {
  const one = await makeProject(db.sql)
  const other = await makeProject(db.sql, { name: 'Harbour Inn' })
  assert.is(await create({ name: one.id.toUpperCase(), plan: 'paid' }), 'name_taken')
  assert.is(await updateProject(db.sql, other.id, { name: one.id }), 'name_taken')
  assert.equal(await getProject(db.sql, one.name), one)
  assert.equal(await getProject(db.sql, one.id), one)
  const own = await makeProject(db.sql, { name: randomUUID() })
  assert.equal(await getProject(db.sql, own.name), own)
  assert.is(await getProject(db.sql, 'nobody'), undefined)
})

test('blanks around a name, which a new one loses, find it as well', async () => {
  const one = await makeProject(db.sql, { name: 'Harbour Inn' })
  assert.equal(await getProject(db.sql, ' Harbour Inn\n'), one)
})

test('a name is the same with composed and decomposed accents, which look alike', async () => {
  const [composed, decomposed] = ['H\u00f4tel', 'Ho\u0302tel']
  const one = await makeProject(db.sql, { name: decomposed })
  const other = await makeProject(db.sql)
  assert.is(one.name, decomposed)
  for (const name of [composed, decomposed]) {
    assert.equal(await getProject(db.sql, name), one)
    assert.is(await create({ name, plan: 'paid' }), 'name_taken')
    assert.is(await updateProject(db.sql, other.id, { name }), 'name_taken')
  }
  const renamed = await updateProject(db.sql, one.id, { name: composed })
  assert.is(typeof renamed === 'object' && renamed.name, composed)
})

test('settings change alone, and caches of both environments miss', async () => {
  const project = await makeProject(db.sql)
  const changed = await updateProject(db.sql, project.id, {
    similarityFloor: 0.5,
    allowedOrigins: ['https://a.example', 'https://b.example:8443'],
  })
  assert.equal(changed, {
    ...project,
    similarityFloor: 0.5,
    allowedOrigins: ['https://a.example', 'https://b.example:8443'],
    settingsRevision: 1,
  })
  assert.equal(await getProject(db.sql, project.id), changed)
  assert.is(await revisionOf(db.sql, project.id, 'live'), 1)
  assert.is(await revisionOf(db.sql, project.id, 'test'), 1)
})

test('an empty change, a taken name and an unknown project change nothing', async () => {
  const project = await makeProject(db.sql)
  const other = await makeProject(db.sql)
  assert.equal(await updateProject(db.sql, project.id, {}), project)
  assert.is(await revisionOf(db.sql, project.id), 0)
  assert.is(await updateProject(db.sql, project.id, { name: other.name }), 'name_taken')
  assert.equal(await getProject(db.sql, project.id), project)
  assert.is(await updateProject(db.sql, randomUUID(), { minRating: 1 }), undefined)
  assert.is(await updateProject(db.sql, 'no uuid', { minRating: 1 }), undefined)
})

test('caches stay when the settings of searches do: they are set to what they are, or others change', async () => {
  const project = await makeProject(db.sql)
  const { name, plan, similarityFloor, minRating, excerpts, allowedOrigins } = project
  const same = { name, plan, similarityFloor, minRating, excerpts, allowedOrigins }
  assert.equal(await updateProject(db.sql, project.id, { ...same, addOrigins: [] }), project)
  const renamed = await updateProject(db.sql, project.id, {
    ...same,
    name: `${name} & Spa`,
    addOrigins: ['https://a.example'],
  })
  assert.equal(renamed, {
    ...project,
    name: `${name} & Spa`,
    allowedOrigins: [...allowedOrigins, 'https://a.example'],
    settingsRevision: 1,
  })
  assert.is(await revisionOf(db.sql, project.id), 0)
})

test('deleting a project deletes everything of it and nothing of another', async () => {
  const project = await makeProject(db.sql)
  const other = await makeProject(db.sql)
  for (const { id } of [project, other]) await accept(db.sql, { id }, 'live', [review('a'), review('b')], {})
  assert.is(await deleteProject(db.sql, project.id), true)
  assert.is(await deleteProject(db.sql, project.id), false)
  assert.is(await deleteProject(db.sql, 'no uuid'), false)
  assert.is(await purgeDeletedProjects(db.sql), 1)
  assert.equal(await rowsLeft(), { projects: 1, reviews: 2, jobs: 2, environments: 2 })
})

test('a deleted project is gone at once, and its removal goes on where it was ended', async () => {
  const project = await makeProject(db.sql, { name: 'Harbour Inn', plan: 'free' })
  const reviews = Array.from({ length: 70 }, (_, i) => review(`r${i}`))
  await accept(db.sql, project, 'live', reviews, {})
  await accept(db.sql, project, 'test', [review('a')], {})
  assert.ok(await deleteProject(db.sql, project.id))
  assert.equal(await listProjects(db.sql), [])
  for (const known of [project.name, project.id]) assert.is(await getProject(db.sql, known), undefined)
  assert.is(await updateProject(db.sql, project.id, { minRating: 1 }), undefined)
  const again = await create({ name: project.name })
  assert.ok(typeof again === 'object' && again.id !== project.id)
  let steps = 1
  assert.is(await purgeDeletedProjects(db.sql, () => steps-- > 0), 0)
  assert.equal(await rowsLeft(), { projects: 2, reviews: 61, jobs: 61, environments: 2 })
  assert.is(await purgeDeletedProjects(db.sql), 1)
  assert.equal(await rowsLeft(), { projects: 1, reviews: 0, jobs: 0, environments: 2 })
})

if ((process.env.PULLQUOTE_TEST_DATABASE ?? 'embedded') === 'embedded') {
  test('what a large project leaves of itself is vacuumed while it is removed, since all at the end would take long', async () => {
    const project = await makeProject(db.sql)
    const vacuums = async () => {
      const [row] = await db.sql<{ count: number }[]>`
        select sum(vacuum_count)::int as count from pg_stat_user_tables where relname in ('reviews', 'excerpts')`
      return row?.count ?? 0
    }
    await db.sql`
      insert into reviews (project_id, env, source, external_id, text)
      select ${project.id}, 'live', 'custom', n, 'Made up' from generate_series(1, 1100) n`
    const before = await vacuums()
    await removeReviews(db.sql, { projectId: project.id })
    assert.ok((await vacuums()) >= before + 2)
  })

  test('a vacuum that took long is followed by one of fewer reviews, a short one by one of more', () => {
    assert.is(nextVacuumed(1_000, 160), 500)
    assert.is(nextVacuumed(500, 80), 500)
    assert.is(nextVacuumed(500, 5), 1_000, 'twice as many at most')
    assert.equal([nextVacuumed(500, 900), nextVacuumed(2_000, 5)], [250, 2_000])
  })
}

async function rowsLeft() {
  const [row] = await db.sql`select
    (select count(*)::int from projects) as projects, (select count(*)::int from reviews) as reviews,
    (select count(*)::int from index_jobs) as jobs, (select count(*)::int from environments) as environments`
  return row
}

test.run()
