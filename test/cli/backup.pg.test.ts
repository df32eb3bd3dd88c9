import { createHash } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import { createPostgresDatabase } from '../database.ts'
import { suite } from '../suite.ts'
import { newHomeWithDatabase, runCli } from './run-cli.ts'

const test = suite('pullquote backup and restore')
const sample = join(import.meta.dirname, '..', '..', 'templates', 'demo', 'reviews.json')
const home = await newHomeWithDatabase()
const file = join(home, 'backup.jsonl.gz')
let database: Awaited<ReturnType<typeof createPostgresDatabase>>

test.before(async () => {
  database = await createPostgresDatabase({ migrated: false })
})
test.after(() => database.drop())

async function json(args: string[], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runCli(home, [...args, '--json'], { env })
  assert.is(code, 0, `${args.join(' ')}: ${stderr}`)
  return JSON.parse(stdout)
}

test('moves from the embedded database to PostgreSQL, and queries find the same', async () => {
  await json(['projects', 'create', 'hotel'])
  await json(['reviews', 'push', sample])
  const key = await json(['keys', 'create', '--kind', 'secret', '--env', 'live'])
  const found = await json(['query', 'sauna with a view of the lake'])
  assert.ok(found.results.length > 0)

  const { rows } = await json(['backup', file])
  assert.is(rows.reviews, 170)
  if (process.platform !== 'win32') assert.is(statSync(file).mode & 0o777, 0o600)

  const env = { DATABASE_URL: database.url }
  const restored = await json(['restore', file], env)
  assert.equal([restored.rows.reviews, restored.indexing, restored.reindexing], [170, 0, false])
  const there = await json(['query', 'sauna with a view of the lake'], { ...env, PULLQUOTE_KEY: key.key })
  // The two builds of pgvector add up in another order: the sixth decimal of a cosine may differ.
  const rounded = (results: { score: number }[]) => results.map((one) => ({ ...one, score: one.score.toFixed(4) }))
  assert.equal(rounded(there.results), rounded(found.results))
})

test('a restore tells that all reviews will be indexed again where the backup is of another model', async () => {
  const older = join(home, 'older.jsonl.gz')
  const lines = gunzipSync(readFileSync(file)).toString().replaceAll('"builtin/', '"builtin/0').split('\n').slice(0, -2)
  const counted = `${lines.join('\n')}\n`
  const { end, rows } = JSON.parse(gunzipSync(readFileSync(file)).toString().trimEnd().split('\n').at(-1) ?? '')
  const sha256 = createHash('sha256').update(counted).digest('hex')
  writeFileSync(older, gzipSync(`${counted}${JSON.stringify({ end, rows, sha256 })}\n`))
  const { code, stdout, stderr } = await runCli(await newHomeWithDatabase(), ['restore', older])
  assert.is(code, 0, stderr)
  assert.match(stdout, /Restored 1 project and 170 reviews/)
  assert.match(stderr, /All of them will be indexed again when a server opens the database/)
  const env = { PULLQUOTE_EMBEDDER: 'transformers', PULLQUOTE_EMBEDDING_MODEL: 'one/model' }
  const other = await runCli(await newHomeWithDatabase(), ['restore', file, '--json'], { env })
  const { indexing, reindexing } = JSON.parse(other.stdout)
  assert.equal([indexing, reindexing], [170, true], 'the model of another provider')
})

test('neither a file nor a database is overwritten', async () => {
  const again = await runCli(home, ['backup', file])
  assert.is(again.code, 2)
  assert.match(again.stderr, /--force/)
  const { code, stderr } = await runCli(home, ['restore', file])
  assert.is(code, 1)
  assert.match(stderr, /holds projects already/)
})

test('a backup with nothing in it says so: the home may be the wrong one', async () => {
  const { code, stderr } = await runCli(await newHomeWithDatabase(), ['backup', join(home, 'empty.jsonl.gz')])
  assert.is(code, 0)
  assert.match(stderr, /The backup contains no project. Check that PULLQUOTE_HOME/)
})

test.run()
