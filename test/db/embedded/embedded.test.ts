import { createHook } from 'node:async_hooks'
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { startAutovacuum } from '../../../server/db/autovacuum.ts'
import { openEmbedded } from '../../../server/db/embedded/open-embedded.ts'
import { sharedBuffersOf } from '../../../server/db/embedded/thread.ts'
import { beforeBackground } from '../../../server/db/turns.ts'
import { isDatabaseUnavailable } from '../../../server/db/unavailable.ts'
import { childArguments } from '../../child.ts'
import { copyTemplateInto, silent } from '../../database.ts'
import { suite } from '../../suite.ts'
import { until } from '../../waiting.ts'

const test = suite('the embedded database')
/** Opened at less expense than by a server. */
const AS_COMMAND = { shortLived: true }
let base: string

test.before(async () => {
  base = await mkdtemp(join(tmpdir(), 'pullquote-embedded-'))
})
test.after(() => rm(base, { recursive: true, force: true }))

/** A folder with a migrated, empty database. */
async function copyHome(name: string): Promise<string> {
  const home = join(base, name)
  await mkdir(dirname(home), { recursive: true })
  await copyTemplateInto(home)
  return home
}

test('keeps what was written, and leaves nothing but its data behind', async () => {
  const home = await copyHome('keep')
  const first = await openEmbedded(home, silent, AS_COMMAND)
  await first.sql`insert into embedding_models (name, dimensions) values ('kept', 3)`
  await first.close()
  await first.close()
  assert.equal(await readdir(home), ['data', 'data.made'])
  const second = await openEmbedded(home, silent, AS_COMMAND)
  assert.is((await second.sql`select 1 from embedding_models where name = 'kept'`).length, 1)
  await second.close()
})

test('leaves no timer behind that would keep a finished command alive', async () => {
  const held: object[] = []
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      if (type === 'Timeout') held.push(resource)
    },
  }).enable()
  const { close } = await openEmbedded(await copyHome('timers'), silent, AS_COMMAND)
  await close()
  hook.disable()
  const left = held.filter((timer) => Reflect.get(timer, 'hasRef')?.call(timer) && !Reflect.get(timer, '_destroyed'))
  assert.equal(
    left.map((timer) => Reflect.get(timer, '_idleTimeout')),
    [],
  )
})

test('a server keeps as many pages as its machine has room for', () => {
  const GB = 2 ** 30
  assert.equal([GB / 8, GB / 2, GB, 2 * GB, 64 * GB].map(sharedBuffersOf), [16, 32, 64, 128, 128])
})

test('is reachable for its user only, and opened by one process at a time', async () => {
  const home = await copyHome('private')
  const { close } = await openEmbedded(home, silent, AS_COMMAND)
  assert.is((await stat(join(home, 'run'))).mode & 0o777, 0o700)
  assert.is((await stat(join(home, 'data'))).mode & 0o077, 0)
  try {
    await openEmbedded(home, silent, AS_COMMAND)
    assert.unreachable()
  } catch (error) {
    assert.is((error as { code?: string }).code, 'home_in_use')
  }
  await close()
})

test('opens in a folder whose path is longer than a socket’s may be', async () => {
  const home = await copyHome(join('x'.repeat(80), 'y'.repeat(80)))
  const { sql, close } = await openEmbedded(home, silent, AS_COMMAND)
  assert.is((await sql`select 1 as one`)[0]?.one, 1)
  await close()
})

test('opens in a folder whose file system knows no sockets', async () => {
  const home = await copyHome('no-sockets')
  const { listen } = Server.prototype
  Server.prototype.listen = function (this: Server, ...values: unknown[]) {
    if (!String(values[0]).startsWith(home)) return Reflect.apply(listen, this, values)
    process.nextTick(() => this.emit('error', Object.assign(new Error('listen'), { code: 'ENOTSUP' })))
    return this
  }
  const { sql, close } = await openEmbedded(home, silent, AS_COMMAND).finally(() => {
    Server.prototype.listen = listen
  })
  assert.is((await sql`select 1 as one`)[0]?.one, 1)
  assert.not.ok((await readdir(home)).includes('run'))
  await close()
})

test('survives kill -9 in the middle of writing, again and again, and loses nothing that was committed', async () => {
  const home = await copyHome('killed')
  let last = 0
  for (let round = 0; round < 3; round++) {
    const script = new URL('./embedded-child.ts', import.meta.url).pathname
    const args = [...(await childArguments(script)), home]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let said = ''
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk) => {
        said += chunk
        if (said.split('\n').length > 50) resolve()
      })
    })
    child.kill('SIGKILL')
    await new Promise((resolve) => child.once('close', resolve))
    last = Number(said.trim().split('\n').at(-1))
    const { sql, close } = await openEmbedded(home, silent, AS_COMMAND)
    const [row] = await sql`select count(*)::int as count, max(dimensions) as max from embedding_models`
    assert.ok(row?.max >= last && row?.max <= last + 1, `${row?.max} rows after ${last} were confirmed`)
    assert.is(row?.count, row?.max)
    await sql`delete from embedding_models`
    await close()
  }
})

test('a thread that dies is started again, and answers', async () => {
  const home = await copyHome('crash')
  const { sql, thread, close } = await openEmbedded(home, silent)
  await sql`insert into embedding_models (name, dimensions) values ('before', 3)`
  for (let round = 0; round < 2; round++) {
    const running = sql`select pg_sleep(20)`.then(
      () => assert.unreachable('the statement outlived its database'),
      (error) => assert.ok(isDatabaseUnavailable(error), String(error)),
    )
    await sleep(100)
    await thread.crash()
    await running
    const answer = await until('it answers again', () =>
      sql`select name from embedding_models`.catch((error) => {
        assert.ok(isDatabaseUnavailable(error), String(error))
        return undefined
      }),
    )
    assert.equal([...answer], [{ name: 'before' }])
  }
  await close()
  assert.equal(await readdir(home), ['data', 'data.made'])
})

test('closes also when its thread is dead', async () => {
  const home = await copyHome('dead')
  const { thread, close } = await openEmbedded(home, silent)
  await thread.crash()
  await close()
  assert.equal(await readdir(home), ['data', 'data.made'])
})

test('takes little memory for a command, and keeps a searched corpus in memory for a server', async () => {
  const home = await copyHome('memory')
  const settingsOf = async (shortLived: boolean) => {
    const { sql, close } = await openEmbedded(home, silent, { shortLived })
    const rows = await sql<{ name: string; value: string }[]>`
      select name, current_setting(name) as value from pg_settings
      where name in ('shared_buffers', 'default_statistics_target') order by name`
    await close()
    return rows.map(({ value }) => value)
  }
  // An analyze at PostgreSQL's target of 100 makes the memory grow by 87 MB, for good.
  assert.equal(await settingsOf(true), ['10', '16MB'])
  assert.equal(await settingsOf(false), ['10', '128MB'])
})

test('autovacuum vacuums what needs it, and nothing else', async () => {
  const home = await copyHome('autovacuum')
  const vacuumed: unknown[] = []
  const log = { ...silent, debug: (fields: object, message: string) => message === 'vacuumed' && vacuumed.push(fields) }
  const { sql, autovacuum, close } = await openEmbedded(home, log)
  // Its own look, every five seconds, may be under way: what is asked for then has looked before the change.
  autovacuum.stop()
  await sql`insert into embedding_models (name, dimensions) select n::text, 3 from generate_series(1, 2000) n`
  await sql`delete from embedding_models where name::int > 10`
  // The counters are written when the session is idle for a second.
  await until('it is vacuumed', async () => {
    await sleep(1_200)
    await sql`select 1`
    await autovacuum.run()
    return vacuumed.length > 0
  })
  assert.equal(vacuumed, [{ table: 'embedding_models' }])
  await autovacuum.run()
  assert.is(vacuumed.length, 1)
  // As after a kill: what had changed nobody has counted.
  await sql`insert into embedding_models (name, dimensions) select repeat('x', 500) || n, 3 from generate_series(1, 400) n`
  await sql`update pg_class set reltuples = -1 where relname = 'embedding_models'`
  await autovacuum.run()
  assert.is(vacuumed.length, 2, 'one that was never analysed and has rows')
  // The more rows are dead, the longer everybody waits for their vacuum.
  await sql`insert into embedding_models (name, dimensions) select 'large ' || n, 3 from generate_series(1, 60000) n`
  const lookAgain = async () => {
    await sql`select pg_stat_force_next_flush()`
    await autovacuum.run()
    return vacuumed.length
  }
  assert.is(await lookAgain(), 3)
  await sql`delete from embedding_models where name < 'large 15'`
  assert.is(await lookAgain(), 4, 'of a large table less than a tenth is enough')
  await close()
})

test('a vacuum begins nothing while somebody searches', async () => {
  const { sql, autovacuum, close } = await openEmbedded(await copyHome('polite'), silent)
  autovacuum.stop()
  const order: string[] = []
  let looked: Promise<unknown> = Promise.resolve()
  await beforeBackground(sql, async () => {
    looked = autovacuum.run().then(() => order.push('vacuum'))
    await sleep(50)
    order.push('search')
  })
  await looked
  assert.equal(order, ['search', 'vacuum'])
  await close()
})

test('a new table that has grown gets statistics before the next vacuum is looked for, and only for the first time', async () => {
  const { sql, autovacuum, close } = await openEmbedded(await copyHome('statistics'), silent)
  autovacuum.stop()
  const grow = (from: number) => sql`
    insert into embedding_models (name, dimensions) select repeat('x', 500) || n, 3 from generate_series(${from}::int, ${from + 400}::int) n`
  const analyses = async () => {
    await sql`select pg_stat_force_next_flush()`
    const [row] = await sql`select analyze_count from pg_stat_user_tables where relid = 'embedding_models'::regclass`
    return Number(row?.analyze_count)
  }
  assert.is(await analyses(), 0)
  const looking = startAutovacuum(sql, silent, 3_600_000, 20)
  await grow(1)
  await until('it is analyzed', async () => (await analyses()) === 1)
  await grow(1_000)
  await sleep(200)
  assert.is(await analyses(), 1)
  looking.stop()
  await close()
})

test.run()
