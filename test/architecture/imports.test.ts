import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { cycles } from './cycles.ts'
import { type Import, imports, sources } from './source.ts'

/** What of the server the command line opens, dynamically. */
const ENTRANCES = ['server/start.ts', 'server/open-service.ts', 'server/config.ts', 'server/maintenance.ts']

/** Folder → what it may import of ours. The longest matching prefix of the importing file decides. */
const ALLOWED: Record<string, string[]> = {
  'src/contract/': ['src/contract/'],
  'src/importer/': ['src/contract/', 'src/importer/'],
  'src/web-page/': ['src/contract/', 'src/importer/read/encodings/legacy-encodings.ts', 'src/web-page/'],
  'src/client/': ['src/contract/', 'src/importer/', 'src/client/', ...ENTRANCES],
  'src/cli/': ['src/make-folder.ts', 'src/contract/', 'src/importer/', 'src/web-page/', 'src/client/', 'src/cli/'],
  'src/commands/': [
    'src/make-folder.ts',
    'src/contract/',
    'src/importer/',
    'src/client/',
    'src/cli/',
    'src/commands/',
    ...ENTRANCES,
  ],
  'server/db/': [
    'src/make-folder.ts',
    'src/contract/',
    'server/db/',
    'server/deps.ts',
    'server/abort.ts',
    'server/machine-memory.ts',
    'server/points.ts',
    'server/process-limits.ts',
    'server/recently-used.ts',
    'server/unspaced-scripts.ts',
  ],
  'server/sql/': [
    'src/contract/',
    'server/sql/',
    'server/db/',
    'server/deps.ts',
    'server/compose-letters.ts',
    'server/language-by-words.ts',
  ],
  'server/embed/': [
    'src/contract/',
    'server/embed/',
    'server/deps.ts',
    'server/abort.ts',
    'server/compose-letters.ts',
    'server/describe-error.ts',
    'server/event-loop.ts',
    'server/into-groups.ts',
    'server/language-by-words.ts',
    'server/points.ts',
    'server/start-thread.ts',
    'server/unspaced-scripts.ts',
  ],
}

const RULES: { why: string; broken: (one: Import) => boolean }[] = [
  {
    why: 'the server never imports the command line or the client',
    broken: ({ from, to }) => from.startsWith('server/') && /^src\/(cli|commands|client)\//.test(to),
  },
  {
    why: 'the contract imports valibot and nothing else from outside',
    broken: ({ from, to }) => from.startsWith('src/contract/') && !to.startsWith('src/') && to !== 'valibot',
  },
  {
    why: 'the importer is pure: no file system, network, process or database',
    broken: ({ from, to }) =>
      from.startsWith('src/importer/') &&
      /^(node:(fs|net|http|https|child_process|worker_threads|os)|postgres|pgvector)/.test(to),
  },
  {
    why: 'the server is loaded dynamically by the client and the commands, so that a remote call never loads it',
    broken: ({ from, to, dynamic, typeOnly }) =>
      from.startsWith('src/') && to.startsWith('server/') && !dynamic && !typeOnly,
  },
  {
    why: 'routes reach the database through sql, ingest and search',
    broken: ({ from, to }) => from.startsWith('server/routes/') && to === 'postgres',
  },
  {
    why: 'the database, its statements, the pipeline and the providers know nothing of HTTP',
    broken: ({ from, to }) =>
      /^server\/(db|sql|embed|ingest|indexing|sentiment|search)\//.test(from) &&
      (to === 'h3' || to.startsWith('server/http/') || to.startsWith('server/routes/')),
  },
  {
    why: 'what a browser loads imports nothing of Node, of packages or of the server',
    broken: ({ from, to }) => /^(snippet|console)\//.test(from) && !/^(snippet|console|src\/contract)\//.test(to),
  },
  {
    why: 'nothing that is shipped imports tests, measurements, training or scripts',
    broken: ({ from, to }) =>
      /^(bin|src|server|snippet|console)\//.test(from) && /^(test|bench|training|scripts|templates)\//.test(to),
  },
]

const test = suite('dependencies point one way')

for (const { why, broken } of RULES) {
  test(why, () => {
    assert.equal(imports.filter(broken), [])
  })
}

test('each folder imports only what stands before it', () => {
  const prefixes = Object.keys(ALLOWED)
  const wrong = imports.filter(({ from, to }) => {
    const prefix = prefixes.find((candidate) => from.startsWith(candidate))
    if (!prefix || !/^(src|server)\//.test(to)) return false
    return !ALLOWED[prefix]?.some((allowed) => to.startsWith(allowed))
  })
  assert.equal(wrong, [])
})

test('no file imports itself by way of others', () => {
  assert.equal(cycles(imports.filter(({ typeOnly, dynamic }) => !typeOnly && !dynamic)), [])
})

test('SQL stands only in server/db, server/sql and server/search/sql', () => {
  // `open-database.ts` asks `select 1` to see whether the database answers.
  const mayHoldSql = /^server\/(db|sql)\/|^server\/search\/sql\/|^server\/open-database\.ts$/
  const wrong = sources.filter(({ path, sql }) => sql && path.startsWith('server/') && !mayHoldSql.test(path))
  assert.equal(
    wrong.map(({ path }) => path),
    [],
  )
})

test('nothing that a thread loads waits at its top level: ended in that moment, it would end the whole process', () => {
  const wrong = sources.filter(
    ({ path, waitsAtTopLevel }) => waitsAtTopLevel && /^(server|src\/(importer|contract))\//.test(path),
  )
  assert.equal(
    wrong.map(({ path }) => path),
    [],
  )
})

test.run()
