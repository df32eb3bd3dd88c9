import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { DISTRIBUTION_COLUMN, PLACEMENTS, tablesOf } from '../../server/db/distribution.ts'
import type { Sql } from '../../server/deps.ts'
import type { Policy } from '../../server/search/policy.ts'
import { fetchExcerpts, fetchNewest } from '../../server/search/sql/excerpt-rows.ts'
import { suite } from '../suite.ts'

/** What Citus demands of schema and statements, held without a cluster: each rule is one that it refused something for. */
const test = suite('what a distributed database demands')
const server = new URL('../../server/', import.meta.url)
const schema = await readFile(new URL('db/schema.sql', server), 'utf8')
const distributed = tablesOf('distributed')

const tables = [...schema.matchAll(/^create (?:unlogged )?table (\w+) \(\n([\s\S]*?)\n\)/gm)].map(
  ([, name = '', body = '']) => ({
    name,
    body,
  }),
)
const references = [
  ...schema.matchAll(/^alter table (\w+) add constraint \w+ FOREIGN KEY \(([^)]*)\) REFERENCES (\w+)\(([^)]*)\)/gm),
].map(([, from = '', columns = '', to = '', targets = '']) => ({
  from,
  to,
  columns: columns.split(', '),
  targets: targets.split(', '),
}))

test('every table has its place, and no place is for a table that is gone', () => {
  assert.equal(tables.map(({ name }) => name).sort(), Object.keys(PLACEMENTS).sort())
})

test('the keys of a distributed table hold the project', () => {
  const checked = tables.filter(({ name }) => distributed.includes(name))
  assert.is(checked.length, distributed.length)
  for (const { name, body } of checked) {
    assert.match(body, new RegExp(`^  ${DISTRIBUTION_COLUMN} uuid not null`, 'm'), name)
    const keys = [...body.matchAll(/(?:PRIMARY KEY|UNIQUE) \(([^)]*)\)/g)].map(([, columns = '']) =>
      columns.split(', '),
    )
    assert.ok(keys.length > 0, name)
    for (const columns of keys) assert.ok(columns.includes(DISTRIBUTION_COLUMN), `${name} (${columns})`)
  }
})

test('who calls is counted by statements that have no parts, which any server would have to hand on', async () => {
  const source = await readFile(new URL('sql/access/count-callers.ts', server), 'utf8')
  const statements = [...source.matchAll(/sql(?:<[^`]*>)?`([^`]*)`/g)].map(([, words = '']) => words)
  assert.ok(statements.some((words) => words.includes('insert into rate_windows')))
  for (const words of statements) assert.not.match(words, /\bwith\b/, words)
})

test('a distributed table refers to one beside it by the project, or to a reference table, and no other refers to it', () => {
  assert.ok(references.length > 10)
  for (const { from, to, columns, targets } of references) {
    const what = `${from} (${columns}) to ${to}`
    const [source, target] = [PLACEMENTS[from], PLACEMENTS[to]]
    if (target === 'distributed') {
      assert.is(source, 'distributed', what)
      assert.is(targets[columns.indexOf(DISTRIBUTION_COLUMN)], DISTRIBUTION_COLUMN, what)
    }
    if (target === 'local') assert.is(source, 'local', what)
  }
})

/** The tagged statements of a file: what stands in `…` becomes `?`, with the statements inside of it apart. */
function statementsOf(source: string): string[] {
  const found: string[] = []
  const starts = /\b(?:sql|tx)(?:<[^`]*?>)?`/g
  for (let start = starts.exec(source); start; start = starts.exec(source)) {
    let text = ''
    let at = start.index + start[0].length
    while (at < source.length && source[at] !== '`') {
      if (source.startsWith('${', at)) {
        let depth = 1
        at += 2
        while (at < source.length && depth > 0) {
          if (source[at] === '{') depth++
          if (source[at] === '}') depth--
          at++
        }
        text += '?'
      } else text += source[at++]
    }
    found.push(text.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim())
  }
  return found
}

const files = (await Promise.all(['sql', 'search', 'ingest', 'indexing', 'routes', 'console'].map(filesBelow))).flat()

async function filesBelow(folder: string): Promise<string[]> {
  const path = new URL(`${folder}/`, server).pathname
  return (await readdir(path, { recursive: true }))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(path, name))
}

const statements = (
  await Promise.all(
    files.map(async (file) => {
      const where = file.slice(new URL('.', server).pathname.length)
      return statementsOf(await readFile(file, 'utf8')).map((text) => ({ where, text }))
    }),
  )
).flat()

const touches = (text: string) =>
  distributed.filter((table) => new RegExp(`\\b(?:from|join|update|into|using) ${table}\\b`).test(text))

test('the statements are found', () => {
  assert.ok(statements.length > 80, String(statements.length))
  for (const table of distributed)
    assert.ok(
      statements.some(({ text }) => touches(text).includes(table)),
      table,
    )
})

test('nothing outside of server/db asks whether the database is distributed', async () => {
  // These tell an operator of it.
  const reporting = ['doctor.ts', 'maintenance.ts']
  const all = (await readdir(server.pathname, { recursive: true })).filter((name) => /\.ts$/.test(name))
  const outside = all.filter((name) => !name.startsWith('db/') && !reporting.includes(name))
  assert.ok(outside.length > 100)
  for (const name of outside) {
    const source = await readFile(new URL(name, server), 'utf8')
    const code = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    assert.not.match(code, /citus|pg_dist|\bis(?:Distributed|Cluster\w*)\b|\.distributed\b/i, name)
  }
})

test('rows of distributed tables are locked in one project', () => {
  const locking = statements.filter(
    ({ text }) => / for (?:no key )?(?:update|share|key share)/.test(text) && touches(text).length > 0,
  )
  assert.ok(locking.length >= 4)
  for (const { where, text } of locking) {
    const one = /project_id = \?|where \?/.test(text)
    const [, of = ''] = text.match(/ for [a-z ]+ of ([a-z_]+)/) ?? []
    assert.ok(one || PLACEMENTS[of] === 'local', `${where}: ${text}`)
  }
})

test('no update of a distributed table computes with time or chance row by row', () => {
  const updates = statements.filter(({ text }) => touches(text).length > 0 && /\bupdate\b|\bdo update\b/.test(text))
  assert.ok(updates.length > 10)
  for (const { where, text } of updates) {
    const what = `${where}: ${text}`
    for (const [part] of text.matchAll(/\bcase\b.*?\bend\b|\bcoalesce\([^)]*\)/g))
      assert.not.match(part, /now\(|random\(|regconfig/, what)
    assert.not.match(text, /\brandom\(\)|gen_random_uuid\(\)|clock_timestamp\(\)/, what)
    const [, upsert = ''] = text.match(/do update set (.*?)(?: returning| where|$)/) ?? []
    assert.not.match(upsert, /now\(/, what)
  }
})

test('no update of a reference table computes with chance', () => {
  const copied = tablesOf('reference').join('|')
  const updates = statements.filter(({ text }) => new RegExp(`\\bupdate (?:${copied})\\b`).test(text))
  assert.ok(updates.length >= 3, String(updates.length))
  for (const { where, text } of updates)
    assert.not.match(text, /\brandom\(\)|gen_random_uuid\(\)|clock_timestamp\(\)/, `${where}: ${text}`)
})

test('what a conflict writes to a counted window is a value of the row that came', () => {
  const windows = statements.filter(({ text }) => /into (?:rate|address)_windows/.test(text))
  assert.ok(windows.length >= 2)
  const written = windows.flatMap(({ text }) =>
    [...text.matchAll(/do update set (.*?) returning/g)].map(([, set = '']) => set),
  )
  // They take it from a fragment, which stands beside them.
  const fragments = statements.filter(({ text }) => /\bexcluded\./.test(text) && !/\binsert\b/.test(text))
  for (const set of [...written, ...fragments.map(({ text }) => text)]) assert.not.match(set, /now\(/, set)
  assert.ok(written.includes('?') && fragments.some(({ text }) => /^started_at = .*, requests = /.test(text)))
})

test('no statement recurses, and what a write returns are columns', () => {
  for (const { where, text } of statements) {
    assert.not.match(text, /\bwith recursive\b/, `${where}: ${text}`)
    assert.not.match(text, /\breturning\b[^)]*\(select\b/, `${where}: ${text}`)
  }
})

test('no migration casts a column to a configuration', async () => {
  for (const file of (await readdir(new URL('db/migrations/', server))).filter((name) => name > '0021')) {
    const text = await readFile(new URL(`db/migrations/${file}`, server), 'utf8')
    assert.not.match(text, /[a-z_]{2,}::regconfig/, file)
  }
})

test('rows are inserted where they lie: beside one of the same project', () => {
  const inserts = statements.filter(({ text }) =>
    /insert into (?:reviews|excerpts|index_jobs|query_insights|search_changes)\b/.test(text),
  )
  assert.is(inserts.length, 5)
  for (const { where, text } of inserts) {
    const source = text.slice(text.lastIndexOf('insert into'))
    assert.match(source, /\b(?:from|join) (?:reviews|environments)\b/, `${where}: ${text}`)
  }
})

test('what a search asks within a search names its project by a value', async () => {
  const asked: string[] = []
  const sql = Object.assign(() => [], { unsafe: async (text: string) => asked.push(text) && [] }) as unknown as Sql
  const scope = { projectId: 'p', env: 'live' as const, modelId: 1 }
  const policy: Policy = { minRating: 1, sources: undefined, since: undefined, metadata: [], withoutComplaints: true }
  await fetchNewest(sql, scope, policy, 5, true)
  await fetchExcerpts(sql, scope, policy, [], true)
  const within = asked.flatMap((text) => [...text.matchAll(/excerpts (\w+)\s+where (\S+) = (\S+)/g)])
  assert.ok(within.length >= 5)
  for (const [what, alias, column, value = ''] of within) {
    assert.is(column, `${alias}.project_id`, what)
    assert.match(value, /^\$\d/, what)
  }
})

test("what the console's list of reviews asks beside it names its project by a value", async () => {
  const source = await readFile(new URL('sql/reviews/console-reviews.ts', server), 'utf8')
  const beside = [...source.matchAll(/from excerpts (\w+)\s+where (\S+) = (\S+)/g)]
  assert.ok(beside.length >= 2)
  for (const [what, alias, column, value = ''] of beside) {
    assert.is(column, `${alias}.project_id`, what)
    assert.match(value, /^\$\{projectId\}/, what)
  }
})

test.run()
