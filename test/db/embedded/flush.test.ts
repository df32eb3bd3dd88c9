/** What the embedded database puts on the disk; cutting the power for real is bench/kills/power-cut.ts. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
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

/** Writes with and without a wait for the disk, over a switch of the log and a checkpoint. @returns the rows committed */
async function write(db: PGlite): Promise<number> {
  await db.exec('create table kept (n int, filling text storage plain)')
  for (let n = 0; n < SMALL; n++) await db.query('insert into kept values ($1, $2)', [n, 'x'])
  await db.query("insert into kept select n, repeat('z', 7000) from generate_series(1, $1::int) n", [LARGE_ROWS])
  await db.exec('checkpoint')
  for (let n = 0; n < SMALL; n++) await db.query('insert into kept values ($1, $2)', [n, 'y'])
  return 2 * SMALL + LARGE_ROWS
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
  const settings = Object.entries(FLUSHING).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const db = await PGlite.create({
    fs: new FlushedFiles(dataDir),
    startParams: [...PGlite.defaultStartParams, ...settings],
  })
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
