/** A copy of the embedded database, beside which requests go on. */
import { EventEmitter, once } from 'node:events'
import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { writeBackup } from '../../../server/db/backup/write.ts'
import { type Embedded, openEmbedded } from '../../../server/db/embedded/open-embedded.ts'
import { copyTemplateInto, silent } from '../../database.ts'
import { suite } from '../../suite.ts'

const test = suite('a copy of the embedded database')
let base: string
let home: string
let database: Embedded

test.before(async () => {
  base = await mkdtemp(join(tmpdir(), 'pullquote-copy-'))
  home = join(base, 'home')
  await mkdir(home)
  await copyTemplateInto(home)
  // As a process leaves it that was killed during a backup.
  await mkdir(join(home, 'data.copy'))
  await writeFile(join(home, 'data.copy', 'PG_VERSION'), '17')
  database = await openEmbedded(home, silent)
  const { sql } = database
  await sql`create table pairs_a (n int primary key, filling text)`
  await sql`create table pairs_b (n int primary key, filling text)`
})
test.after(async () => {
  await database.close()
  await rm(base, { recursive: true, force: true })
})

const FILLING = 'x'.repeat(2_000)

/** One row in each of two tables, in one transaction. */
async function writePair(n: number): Promise<void> {
  await database.sql.begin(async (tx) => {
    await tx`insert into pairs_a values (${n}, ${FILLING})`
    await tx`insert into pairs_b values (${n}, ${FILLING})`
  })
}

test('what a killed backup left is removed at the next start', () => {
  assert.not.ok(existsSync(join(home, 'data.copy')))
})

test('shows one moment, whatever is written while it is made, with everything that was committed before', async () => {
  let n = 0
  let copied = false
  while (n < 300) await writePair(n++)
  const before = n
  const making = database.copy().finally(() => {
    copied = true
  })
  while (!copied) await writePair(n++)
  const copy = await making
  const [counts] = await copy.sql<{ a: number; b: number; matched: number; first: number }[]>`
    select (select count(*)::int from pairs_a) a, (select count(*)::int from pairs_b) b,
      (select count(*)::int from pairs_a join pairs_b using (n)) matched,
      (select count(*)::int from pairs_a where n < ${before}) first`
  await copy.close()
  assert.is(counts?.a, counts?.b)
  assert.is(counts?.matched, counts?.a)
  assert.is(counts?.first, before)
})

test('requests are answered, and written, while a backup of it is not finished', async () => {
  const copy = await database.copy()
  let finished = false
  const gate = new EventEmitter()
  // The copy's one connection is held, so that the backup has begun and cannot end.
  const held = copy.sql.begin(async (tx) => {
    await tx`select`
    gate.emit('held')
    await once(gate, 'release')
  })
  await once(gate, 'held')
  const written = writeBackup(copy.sql, createWriteStream(join(base, 'backup.jsonl.gz'))).finally(() => {
    finished = true
  })
  await writePair(1_000_000)
  assert.not.ok(finished)
  gate.emit('release')
  await held
  await written
  assert.is((await copy.sql`select 1 from pairs_a where n = 1000000`).length, 0)
  await copy.close()
})

test('two are made one after the other, and nothing of them stays', async () => {
  const there = await readdir(home)
  const first = await database.copy()
  let made = false
  const asked = database.copy().finally(() => {
    made = true
  })
  await database.sql`select 1`
  assert.not.ok(made)
  await first.close()
  const second = await asked
  assert.is((await second.sql`select 1`).length, 1)
  await second.close()
  assert.equal(await readdir(home), there)
})

test('one that cannot be made is no hindrance for the next', async () => {
  await writeFile(join(home, 'data.copy'), 'in the way')
  const blocked = join(home, 'run', 'cp.sock')
  await mkdir(blocked)
  await database.copy().then(
    () => assert.unreachable(),
    () => {},
  )
  await rm(blocked, { recursive: true })
  const copy = await database.copy()
  assert.is((await copy.sql`select 1`).length, 1)
  await copy.close()
})

test('closing the database ends a copy that is being made, and leaves nothing', async () => {
  const own = join(base, 'closed')
  await mkdir(own)
  await copyTemplateInto(own)
  const other = await openEmbedded(own, silent)
  const making = other.copy().then(
    (copy) =>
      copy.sql`select 1`.then(
        () => 'answers',
        () => 'closed',
      ),
    (error: Error) => error.message,
  )
  // Its files are complete, and its thread is being started.
  const files = async (name: string) => (await readdir(join(own, name), { recursive: true }).catch(() => [])).length
  while ((await files('data.copy')) < (await files('data'))) await other.sql`select 1`
  for (let n = 0; n < 50; n++) await other.sql`select 1`
  await other.close()
  assert.equal(await readdir(own), ['data', 'data.made'])
  assert.is.not(await making, 'answers')
})

test('closing the database does not wait for a copy whose turn has not come', async () => {
  const own = join(base, 'busy')
  await mkdir(own)
  await copyTemplateInto(own)
  const other = await openEmbedded(own, silent)
  let release = () => {}
  const busy = other.sql.begin(async (tx) => {
    await tx`select 1`
    await new Promise<void>((resolve) => {
      release = resolve
    })
  })
  busy.catch(() => {})
  const making = other.copy().catch((error: Error) => error.message)
  while (!existsSync(join(own, 'data.copy', 'PG_VERSION'))) await sleep(10)
  await other.close()
  release()
  assert.is(await making, 'The database is being closed.')
  assert.equal(await readdir(own), ['data', 'data.made'])
})

test.run()
