import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect as connectSocket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { connect } from '../../server/db/connect.ts'
import { grantedConnections } from '../../server/db/granted-connections.ts'
import { keepsPreparedStatements } from '../../server/db/session-pooling.ts'
import { openDatabase } from '../../server/open-database.ts'
import { silent } from '../database.ts'
import { freePort } from '../free-port.ts'
import { suite } from '../suite.ts'
import { until } from '../waiting.ts'

const test = suite('poolers before the database')
const base = mkdtempSync(join(tmpdir(), 'pullquote-pooler-'))
chmodSync(base, 0o755)
test.after(() => rmSync(base, { recursive: true, force: true }))
const address = new URL(process.env.TEST_DATABASE_URL ?? 'postgres://none')

test('PostgreSQL itself keeps what a connection has prepared', async () => {
  assert.is(await keepsPreparedStatements(address.href), true)
})

const installed = spawnSync('pgbouncer', ['--version']).status === 0
const withPgBouncer = (title: string, body: () => Promise<void>) =>
  installed ? test(title, body) : test.skip(title, 'pgbouncer is not installed (apt install pgbouncer)')

withPgBouncer(
  'PgBouncer in transaction mode is refused, unless nothing is prepared; in session mode it is not',
  async () => {
    for (const mode of ['session', 'transaction']) {
      const { url, stop } = await startPgBouncer(mode)
      try {
        assert.is(await keepsPreparedStatements(url), mode === 'session', mode)
        assert.is(await keepsPreparedStatements(`${url}?prepare=false`), true, mode)
        if (mode === 'session') continue
        const home = mkdtempSync(join(base, 'home-'))
        const refusal = await openDatabase({ databaseUrl: url, home }, silent).catch((error) => error)
        assert.match(refusal.message, /transaction mode.*\?prepare=false/)
        const { close } = await openDatabase({ databaseUrl: `${url}?prepare=false`, home }, silent)
        await close()
      } finally {
        await stop()
      }
    }
  },
)

withPgBouncer('settings that a pooler ignores are told with what to run, unless the role has them', async () => {
  const admin = connect({ url: address.href, max: 1 })
  const role = `pullquote_ignored_${process.pid}`
  await admin.unsafe(`create role ${role} login`)
  const { url, stop } = await startPgBouncer('transaction', '', role)
  const home = mkdtempSync(join(base, 'home-'))
  const warned: string[] = []
  const log = { ...silent, warn: (_: object, message: string) => void warned.push(message) }
  const open = async () => (await openDatabase({ databaseUrl: `${url}?prepare=false`, home }, log)).close()
  try {
    await open()
    const [statements = ''] = /ALTER ROLE .*;/.exec(warned.join()) ?? []
    assert.match(
      statements,
      /SET idle_in_transaction_session_timeout = '60s'; .* SET jit = 'off'; .* SET statement_timeout = '15s';/,
    )
    await admin.unsafe(statements)
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where usename = ${role}`
    warned.length = 0
    await open()
    assert.not.match(warned.join(), 'ALTER ROLE')
  } finally {
    await stop()
    await admin.unsafe(`drop role ${role}`)
    await admin.end()
  }
})

test('a role whose locks are given up early is told with what to run, or what to add to the address', async () => {
  const admin = connect({ url: address.href, max: 1 })
  const role = `pullquote_hurried_${process.pid}`
  await admin.unsafe(`create role ${role} login`)
  await admin.unsafe(`alter role ${role} set lock_timeout = '100ms'`)
  const url = new URL(address)
  url.username = role
  const home = mkdtempSync(join(base, 'home-'))
  const told = async (search: string) => {
    const warned: [object, string][] = []
    const log = { ...silent, warn: (fields: object, message: string) => void warned.push([fields, message]) }
    await openDatabase({ databaseUrl: url.href + search, home }, log).then(({ close }) => close())
    return warned
  }
  try {
    const [[fields, message] = [{}, '']] = await told('')
    assert.equal(fields, { lock_timeout: '100ms' })
    assert.match(message, new RegExp(`ALTER ROLE ${role} SET lock_timeout = 0; .* add \\?lock_timeout=0 `))
    assert.equal(await told('?lock_timeout=0'), [])
    assert.equal(await told('?lock_timeout=60000'), [])
    await admin.unsafe(/ALTER ROLE .*;/.exec(message)?.[0] ?? '')
    assert.equal(await told(''), [])
  } finally {
    await admin.unsafe(`drop role ${role}`)
    await admin.end()
  }
})

withPgBouncer('PgBouncer in statement mode is refused, with and without what is prepared', async () => {
  const { url, stop } = await startPgBouncer('statement')
  const home = mkdtempSync(join(base, 'home-'))
  try {
    for (const databaseUrl of [url, `${url}?prepare=false`]) {
      const refusal = await openDatabase({ databaseUrl, home }, silent).catch((error) => error)
      assert.match(refusal.message, /a pooler in statement mode.*Set pool_mode = session/)
    }
  } finally {
    await stop()
  }
})

withPgBouncer('a pooler with a single session does not keep a start waiting', async () => {
  const { url, stop } = await startPgBouncer('session', 'default_pool_size = 1')
  try {
    assert.is(await keepsPreparedStatements(url, 200), undefined)
  } finally {
    await stop()
  }
})

withPgBouncer(
  'a pooler in session mode with fewer sessions than a pool has connections gets no more than it grants',
  async () => {
    const { url, stop } = await startPgBouncer('session', 'default_pool_size = 3')
    const sql = connect({ url, max: 5 })
    try {
      assert.equal(await grantedConnections(sql, 500), { granted: 3, wanted: 5, readOnly: 0 })
    } finally {
      await sql.end({ timeout: 0 })
      await stop()
    }
  },
)

test('a role with a limit is asked for no more connections than it may have, and one that may have a single one is told', async () => {
  const admin = connect({ url: address.href, max: 1 })
  const role = `pullquote_few_${process.pid}`
  await admin.unsafe(`create role ${role} login connection limit 3`)
  const url = new URL(address)
  url.username = role
  const home = mkdtempSync(join(base, 'home-'))
  const warned: object[] = []
  const log = { ...silent, warn: (fields: object) => void warned.push(fields) }
  const ended = () =>
    until('its sessions have ended', async () => {
      const left = await admin`select from pg_stat_activity where usename = ${role}`
      return left.length === 0
    })
  try {
    const { sql, close } = await openDatabase({ databaseUrl: url.href, home }, log)
    assert.equal(warned, [{ granted: 3, wanted: 10 }])
    await Promise.all(Array.from({ length: 20 }, () => sql`select pg_sleep(0.01)`))
    await close()
    await ended()
    await admin.unsafe(`alter role ${role} connection limit 1`)
    const told = await openDatabase({ databaseUrl: url.href, home }, silent).catch((error) => error)
    assert.match(told.message, /too few connections left/)
    await ended()
  } finally {
    await admin.unsafe(`drop role ${role}`)
    await admin.end()
  }
})

withPgBouncer(
  'many statements at once pass through transaction mode, between transactions and behind them',
  async () => {
    const { url, stop } = await startPgBouncer('transaction')
    const sql = connect({ url: `${url}?prepare=false`, max: 2 })
    try {
      const ask = async (n: number) => {
        await sql`select 1`
        const [plain] = await sql<{ n: number }[]>`select ${n}::int as n`
        const unsafe = await sql.unsafe<{ n: number }[]>('select $1::int as n', [n])
        const [inside] = await sql.begin((tx) => tx<{ n: number }[]>`select ${n}::int as n`)
        return [plain?.n, unsafe[0]?.n, inside?.n]
      }
      const numbers = Array.from({ length: 100 }, (_, n) => n)
      // Those whose answers went to nobody used to wait until their connection was given up.
      const answers = await Promise.race([Promise.all(numbers.map(ask)), sleep(10_000, 'no answer', { ref: false })])
      assert.equal(
        answers,
        numbers.map((n) => [n, n, n]),
      )
    } finally {
      await sql.end({ timeout: 0 })
      await stop()
    }
  },
)

async function startPgBouncer(mode: string, setting = '', role = address.username) {
  const port = await freePort()
  const folder = mkdtempSync(join(base, 'pgbouncer-'))
  chmodSync(folder, 0o755)
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
* = host=${address.hostname} port=${address.port || 5432} user=${role}${address.password && ` password=${address.password}`}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir = ${folder}
auth_type = any
pool_mode = ${mode}
${setting}
ignore_startup_parameters = jit, statement_timeout, idle_in_transaction_session_timeout
`,
  )
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? { uid: 65_534 } : {}
  const child = spawn('pgbouncer', [file], { ...user, stdio: 'ignore' })
  const url = new URL(address)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  await until('PgBouncer', () => accepts(port))
  const stop = async () => {
    const ended = once(child, 'exit')
    child.kill()
    await ended
  }
  return { url: url.href, stop }
}

async function accepts(port: number): Promise<boolean> {
  const socket = connectSocket(port, '127.0.0.1')
  return once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy())
}

test.run()
