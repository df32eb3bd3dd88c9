import { readdirSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as assert from 'uvu/assert'
import { buildEmptyDatabase, EMPTY_DATABASE } from '../../../scripts/build-empty-database.ts'
import { openEmbedded } from '../../../server/db/embedded/open-embedded.ts'
import { unpackEmptyDatabase } from '../../../server/db/home/empty-database.ts'
import { migrate } from '../../../server/db/migrate.ts'
import { silent } from '../../database.ts'
import { suite } from '../../suite.ts'

const test = suite('the empty database of the package')
let base: string
let packed: string
test.before(async () => {
  base = await mkdtemp(join(tmpdir(), 'pullquote-empty-'))
  await buildEmptyDatabase(base)
  packed = join(base, EMPTY_DATABASE)
})
test.after(() => rm(base, { recursive: true, force: true }))

test('is one that opens and takes the schema, readable for nobody else', async () => {
  const home = join(base, 'home')
  await mkdir(home)
  const dataDir = join(home, 'data')
  assert.ok(await unpackEmptyDatabase(dataDir, silent, pathToFileURL(packed)))
  for (const name of ['', ...readdirSync(dataDir, { recursive: true, encoding: 'utf8' })]) {
    assert.is(statSync(join(dataDir, name)).mode & 0o077, 0, name)
  }
  const { sql, close } = await openEmbedded(home, silent, { shortLived: true })
  await migrate(sql, silent)
  const [row] = await sql`select cursor_secret, (select count(*)::int from projects) as projects from installation`
  await close()
  assert.is(row?.projects, 0)
  assert.is(row?.cursor_secret.length, 32)
})

test('one that is cut short is said, and the database is made without it', async () => {
  const short = join(base, 'short')
  const content = await readFile(packed)
  const warned: unknown[] = []
  const log = { ...silent, warn: (...values: unknown[]) => void warned.push(values) }
  for (const rest of [content.subarray(0, content.length / 2), Buffer.alloc(1_000, 7), Buffer.alloc(0)]) {
    await writeFile(short, rest)
    assert.not.ok(await unpackEmptyDatabase(join(base, `of-${rest.length}`), log, pathToFileURL(short)))
  }
  assert.is(warned.length, 3)
  assert.match(JSON.stringify(warned[0]), 'install it again')
})

test('a folder that cannot be written is the system’s error', async () => {
  await writeFile(join(base, 'file'), '')
  try {
    await unpackEmptyDatabase(join(base, 'file', 'data'), silent, pathToFileURL(packed))
    assert.unreachable()
  } catch (error) {
    assert.is((error as { code?: string }).code, 'ENOTDIR')
  }
})

test.run()
