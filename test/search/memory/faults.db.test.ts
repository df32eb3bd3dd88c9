import { randomUUID } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import * as assert from 'uvu/assert'
import { SearchMemory, type SearchMemoryDeps } from '../../../server/search/memory/search-memory.ts'
import { environmentRevision } from '../../../server/sql/excerpts/search-rows.ts'
import { deleteProject } from '../../../server/sql/projects/delete-project.ts'
import { patchReview } from '../../../server/sql/reviews/reviews.ts'
import { openTestDatabase, silent, type TestDatabase } from '../../database.ts'
import { suite } from '../../suite.ts'
import { until } from '../../waiting.ts'
import { Garden, requestOf } from '../planted.ts'

const test = suite('faults of the search in memory')
let db: TestDatabase
let garden: Garden
const request = requestOf({ q: 'quiet room', fallback: 'none', limit: 20 })

test.before(async () => {
  db = await openTestDatabase()
})
test.before.each(async () => {
  garden = await new Garden(db.sql).open()
})
test.after(() => db.close())

const open = (more: Partial<SearchMemoryDeps> = {}) =>
  new SearchMemory({ sql: db.sql, log: silent, budget: 1e8, dimensions: 3, ...more })

async function plant(count: number, projectId?: string): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i++) ids.push(await garden.plant({ slices: [[`A quiet room ${i}`, 0.8]] }, projectId))
  await db.sql`update excerpts set embedding = int8_vector(embedding)`
  return ids
}

/** The excerpts that a search finds, with a memory or without. */
async function found(memory?: ReturnType<typeof open>, projectId = garden.context.project.id): Promise<string[]> {
  const revision = (await environmentRevision(db.sql, { projectId, env: 'live' })) ?? ''
  const context = { ...garden.context, project: { ...garden.context.project, id: projectId }, revision }
  const answer = await garden.search(undefined, memory)(context, request, { bypassCache: true })
  if (!answer.ok) throw new Error(answer.code)
  return answer.results.map(({ excerpt }) => excerpt)
}

async function loaded(memory: ReturnType<typeof open>, projectId?: string): Promise<void> {
  const before = memory.state().inline + memory.state().threaded
  await until('the index answers', async () => {
    await found(memory, projectId)
    return memory.state().inline + memory.state().threaded > before
  })
}

test('a thread that ends while it searches: the database answers, and the next search has another thread', async () => {
  await plant(3)
  const memory = open({ inlineBytes: -1, threads: 1 })
  await loaded(memory)
  const { postMessage } = Worker.prototype
  Worker.prototype.postMessage = function end(this: Worker) {
    Worker.prototype.postMessage = postMessage
    void this.terminate()
  }
  try {
    assert.equal(await found(memory), await found())
  } finally {
    Worker.prototype.postMessage = postMessage
  }
  await until('the loss is told', () => memory.state().threads_lost === 1)
  const { threaded } = memory.state()
  assert.equal(await found(memory), await found())
  assert.is(memory.state().threaded, threaded + 1)
  assert.is(memory.state().threads, 1)
  await memory.stop()
})

test('an earlier backup is restored and written to, up to the very number of the index: it is not trusted', async () => {
  const [first = ''] = await plant(3)
  const { id } = garden.context.project
  await patchReview(db.sql, { projectId: id, env: 'live' }, first, { hidden: true })
  const memory = open()
  await loaded(memory)
  assert.is((await found(memory)).length, 2)
  // As it was before the review was hidden, and then something else happened.
  await db.sql`update environments set revision = revision - 1, stamp = ${randomUUID()} where project_id = ${id}`
  await db.sql`delete from search_changes where project_id = ${id}`
  await db.sql`update reviews set hidden_at = null where id = ${first}`
  await db.sql`update excerpts set hidden = false where review_id = ${first}`
  assert.is((await found(memory)).length, 3)
  await db.sql`update environments set revision = revision + 1, stamp = ${randomUUID()} where project_id = ${id}`
  assert.is((await found(memory)).length, 3)
  await loaded(memory)
  assert.is((await found(memory)).length, 3)
  await memory.stop()
})

test('a deleted project is let go of at once, and soon when another server deleted it', async () => {
  await plant(3)
  const other = await garden.project('Other')
  await plant(3, other)
  const memory = open({ deletedCheckMs: 20 })
  await loaded(memory)
  await loaded(memory, other)
  assert.is(memory.state().loaded, 2)
  memory.forget(other)
  assert.is(memory.state().loaded, 1)
  await deleteProject(db.sql, garden.context.project.id)
  await until('it is gone', () => memory.state().loaded === 0)
  assert.is(memory.state().bytes, 0)
  await memory.stop()
})

test('eight projects in turn under a budget for three: never more than the budget, and always the same answers', async () => {
  const projects: string[] = []
  for (let i = 0; i < 8; i++) projects.push(await garden.project(`Project ${i}`))
  for (const project of projects) await plant(2, project)
  const memory = open({ budget: 3 * 3 * 65_536 + 10_000 })
  for (let round = 0; round < 2; round++) {
    for (const project of projects) {
      await loaded(memory, project)
      assert.equal(await found(memory, project), await found(undefined, project))
      const { bytes, budget, loaded: held, refused } = memory.state()
      assert.ok(bytes <= budget)
      assert.ok(held <= 3)
      assert.is(refused, 0)
    }
  }
  await memory.stop()
})

test('twelve projects asked again and again under a budget for three: three stay, none is loaded in vain, and the others are counted', async () => {
  const projects: string[] = []
  for (let i = 0; i < 12; i++) projects.push(await garden.project(`Project ${i}`))
  for (const project of projects) await plant(2, project)
  let loads = 0
  const log = { ...silent, debug: () => loads++ }
  const memory = open({ budget: 3 * 3 * 65_536 + 10_000, log })
  const round = async () => {
    for (const project of projects) {
      await found(memory, project)
      await until('nothing is loaded', () => memory.state().loading === 0)
    }
  }
  await round()
  assert.is(loads, 3)
  for (let i = 0; i < 3; i++) await round()
  assert.is(loads, 3)
  // Of the embedded database, the searches that began the loads waited for them.
  assert.is(memory.state().inline, db.sql.options.max === 1 ? 12 : 9)
  assert.is(memory.state().refused, 9)
  // The one that is asked twice while the others wait is worth the room of the one that has waited longest.
  const [last = ''] = projects.slice(-1)
  await loaded(memory, last)
  assert.is(loads, 4)
  assert.is(memory.state().loaded, 3)
  // The one that went has not been searched since.
  assert.is(memory.state().refused, 8)
  await memory.stop()
})

test('memory that cannot be had: the database answers', async () => {
  await plant(3)
  const { Memory } = WebAssembly
  const warnings: string[] = []
  const log = { ...silent, warn: (_: object, message: string) => warnings.push(message) }
  const memory = open({ log })
  WebAssembly.Memory = class {
    constructor() {
      throw new RangeError('WebAssembly.Memory(): could not allocate memory')
    }
  } as unknown as typeof Memory
  try {
    for (let i = 0; i < 3; i++) assert.is((await found(memory)).length, 3)
  } finally {
    WebAssembly.Memory = Memory
  }
  assert.is(warnings.length, 1)
  assert.is(memory.state().loaded, 0)
  await memory.stop()
})

test('a database that is away while an index is behind: the request fails, the index stays and follows later', async () => {
  const [first = ''] = await plant(3)
  const { id } = garden.context.project
  await patchReview(db.sql, { projectId: id, env: 'live' }, first, { hidden: true })
  let away = false
  const sql = new Proxy(db.sql, {
    get(target, name, receiver) {
      if (name === 'unsafe' && away) throw Object.assign(new Error('gone'), { code: 'CONNECTION_CLOSED' })
      return Reflect.get(target, name, receiver)
    },
  })
  const memory = open({ sql })
  await loaded(memory)
  await patchReview(db.sql, { projectId: id, env: 'live' }, first, { hidden: false })
  away = true
  let failed = false
  await found(memory).catch(() => {
    failed = true
  })
  assert.ok(failed)
  away = false
  const { inline } = memory.state()
  assert.is((await found(memory)).length, 3)
  assert.is(memory.state().inline, inline + 1)
  await memory.stop()
})

test('a load that the database refuses is told, and one that finds it away is not: the next search tries again', async () => {
  await plant(3)
  let failure: { code: string } | undefined = { code: '57014' }
  const sql = new Proxy(db.sql, {
    get(target, name, receiver) {
      if (name !== 'begin' || !failure) return Reflect.get(target, name, receiver)
      return () => Promise.reject(Object.assign(new Error('made to fail'), failure))
    },
  })
  const told: string[] = []
  const tell = (level: string) => (_: object, message: string) => {
    if (message.startsWith('an index could not be loaded')) told.push(level)
  }
  const memory = open({ sql, log: { ...silent, warn: tell('warn'), debug: tell('debug') } })
  const loadFails = async (times: number) => {
    assert.is((await found(memory)).length, 3)
    await until('the load has failed', () => told.length === times)
  }
  await loadFails(1)
  failure = { code: 'CONNECTION_CLOSED' }
  await loadFails(2)
  assert.equal(told, ['warn', 'debug'])
  failure = undefined
  await loaded(memory)
  await memory.stop()
})

test.run()
