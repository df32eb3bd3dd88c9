/**
 * A disk that fills up at a switch of the write-ahead log. What a full disk does to PostgreSQL, a limit on the size of a
 * file does too: the next segment cannot be made. Such a limit needs neither a mount nor root.
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { openEmbedded } from '../../../server/db/embedded/open-embedded.ts'
import { isDatabaseUnavailable } from '../../../server/db/unavailable.ts'
import type { Log } from '../../../server/deps.ts'
import { copyTemplateInto, silent } from '../../database.ts'
import { suite } from '../../suite.ts'

const test = suite('a full disk under the embedded database')
let base: string
test.before.each(() => limitFiles('unlimited'))
test.before(async () => {
  base = await mkdtemp(join(tmpdir(), 'pullquote-full-'))
  process.on('SIGXFSZ', () => {})
})
const leftOpen: (() => Promise<void>)[] = []
test.after(async () => {
  limitFiles('unlimited')
  // A database that is left open would keep this process alive after a failed test.
  for (const close of leftOpen) await close()
  await rm(base, { recursive: true, force: true })
})

/** Half a segment of the write-ahead log, and more than any other file of a small database. */
function limitFiles(bytes: '8388608' | 'unlimited'): void {
  execFileSync('prlimit', [`--pid=${process.pid}`, `--fsize=${bytes}:`])
}

async function opened(name: string) {
  const home = join(base, name)
  await copyTemplateInto(home)
  const said: string[] = []
  const causes: object[] = []
  const tell = (cause: object, message: string) => {
    causes.push(cause)
    said.push(message)
  }
  const log: Log = { ...silent, warn: tell, error: tell }
  const database = await openEmbedded(home, log)
  leftOpen.push(database.close)
  await database.sql`create table acknowledged as select 1 as n`
  return { ...database, home, said, causes }
}

/** Writes until there is no room for the next segment. @returns how many rows were acknowledged */
async function fill(sql: Awaited<ReturnType<typeof opened>>['sql'], said: string[]): Promise<number> {
  let rows = 1
  for (; !said.some((line) => line.includes('it is started again')); ) {
    // The message makes the log grow and nothing else.
    const done = await sql`
      insert into acknowledged select ${rows + 1}::int from pg_logical_emit_message(true, '', repeat('x', 1000000))`.then(
      () => true,
      (error) => {
        assert.ok(isDatabaseUnavailable(error), String(error))
        return false
      },
    )
    if (done) rows++
    else await sleep(50)
  }
  return rows
}

if (process.platform === 'linux') {
  test('is noticed, and when there is room again the database is there again with all that was acknowledged', async () => {
    const { sql, said, causes, close } = await opened('recovers')
    limitFiles('8388608')
    const rows = await fill(sql, said)
    limitFiles('unlimited')
    assert.match(JSON.stringify(causes), /File too large|No space/, 'the log says why')
    let found: number | undefined
    while (found === undefined) {
      found = await sql`select count(*)::int as count from acknowledged`.then(
        ([row]) => row?.count,
        () => undefined,
      )
      await sleep(50)
    }
    assert.ok(found >= rows && found <= rows + 1, `${found} rows after ${rows} were acknowledged`)
    await sql`insert into acknowledged values (0)`
    assert.ok(said.includes('the embedded database is there again'))
    await close()
  })

  test('does not keep the server from stopping', async () => {
    const { sql, said, close } = await opened('stops')
    limitFiles('8388608')
    await fill(sql, said)
    await close()
    limitFiles('unlimited')
  })

  test('says so when the database is opened on it', async () => {
    const { home, close } = await opened('starts')
    await close()
    // A home beside it whose disk takes nothing at all.
    await writeFile(join(home, 'ballast'), '')
    execFileSync('prlimit', [`--pid=${process.pid}`, '--fsize=0:'])
    try {
      await openEmbedded(home, silent)
      assert.unreachable()
    } catch (error) {
      assert.is((error as { code?: string }).code, 'disk_full', String(error))
      assert.match(String(error), /no room left on the disk/)
    } finally {
      limitFiles('unlimited')
    }
    const again = await openEmbedded(home, silent)
    assert.equal([...(await again.sql`select n from acknowledged`)], [{ n: 1 }])
    await again.close()
  })
} else test.skip('is noticed', 'prlimit is of Linux')

test.run()
