/** What the embedded database puts on the disk; cutting the power for real is bench/kills/power-cut.ts. */
import fs from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import * as assert from 'uvu/assert'
import { FLUSHING, FlushedFiles } from '../../../server/db/embedded/flush.js'
import { openEmbedded } from '../../../server/db/embedded/open-embedded.ts'
import { copyTemplateInto, silent } from '../../database.ts'
import { random } from '../../random.ts'
import { suite } from '../../suite.ts'
import { type ForgetfulDisk, forgetfulDisk } from './forgetful-disk.ts'

const test = suite('what the embedded database puts on the disk')
let base: string
test.before(async () => {
  base = await mkdtemp(join(tmpdir(), 'pullquote-flush-'))
})
test.after(() => rm(base, { recursive: true, force: true }))

const SMALL = 30
/** More than a file of the write-ahead log (16 MiB). */
const LARGE_ROWS = 2_600

function open(dataDir: string): Promise<PGlite> {
  const settings = Object.entries(FLUSHING).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return PGlite.create({
    fs: new FlushedFiles(dataDir),
    startParams: [...PGlite.defaultStartParams, ...settings],
  })
}

/** @returns how many rows it committed, each by itself */
async function writeSmall(db: PGlite, filling: string): Promise<number> {
  await db.exec('create table if not exists kept (n int, filling text storage plain)')
  for (let n = 0; n < SMALL; n++) await db.query('insert into kept values ($1, $2)', [n, filling])
  return SMALL
}

/** Writes over a switch of the log and a checkpoint. @returns the rows committed */
async function write(db: PGlite): Promise<number> {
  const before = await writeSmall(db, 'x')
  await db.query("insert into kept select n, repeat('z', 7000) from generate_series(1, $1::int) n", [LARGE_ROWS])
  await db.exec('checkpoint')
  return before + LARGE_ROWS + (await writeSmall(db, 'y'))
}

async function rowsIn(dataDir: string): Promise<number | string> {
  const db = await PGlite.create({ dataDir }).catch((error: unknown) => String(error))
  if (typeof db === 'string') return db
  try {
    const { rows } = await db.query<{ count: number }>(
      'select count(*)::int as count from kept where length(filling) > 0',
    )
    return rows[0]?.count ?? 0
  } catch (error) {
    return String(error)
  } finally {
    await db.close()
  }
}

test('a power cut loses nothing that was committed, whatever else the disk had written by then', async () => {
  const home = join(base, 'kept')
  await mkdir(home)
  await copyTemplateInto(home)
  const dataDir = join(home, 'data')
  const disk: ForgetfulDisk = forgetfulDisk(dataDir)
  const db = await open(dataDir)
  const committed = await write(db)
  disk.writeTo(join(base, 'cut'))
  const chance = random(1)
  for (let round = 0; round < 2; round++) disk.writeTo(join(base, `cut-${round}`), chance)
  disk.close()
  await db.close()
  assert.is(await rowsIn(join(base, 'cut')), committed)
  for (let round = 0; round < 2; round++)
    assert.is(await rowsIn(join(base, `cut-${round}`)), committed, `round ${round}`)
})

test('where the system flushes only what was opened for writing, as Windows does, nothing is lost either', async () => {
  const home = join(base, 'windows')
  await mkdir(home)
  await copyTemplateInto(home)
  const dataDir = join(home, 'data')
  const { fdatasyncSync } = fs
  fs.fdatasyncSync = () => {
    throw Object.assign(new Error('operation not permitted'), { code: 'EPERM' })
  }
  const disk = forgetfulDisk(dataDir)
  const db = await open(dataDir)
  const committed = await writeSmall(db, 'x')
  disk.writeTo(join(base, 'cut-windows'))
  disk.close()
  fs.fdatasyncSync = fdatasyncSync
  syncBuiltinESMExports()
  await db.close()
  assert.is(await rowsIn(join(base, 'cut-windows')), committed)
})

test('the database that is opened flushes', async () => {
  const home = join(base, 'opened')
  await mkdir(home)
  await copyTemplateInto(home)
  const { sql, close } = await openEmbedded(home, silent, { shortLived: true })
  const shown = await sql<{ name: string; setting: string }[]>`
    select name, setting from pg_settings where name in ('fsync', 'wal_sync_method')`
  await close()
  assert.equal(Object.fromEntries(shown.map(({ name, setting }) => [name, setting])), FLUSHING)
})

test.run()
