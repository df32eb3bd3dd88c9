import { connect as connectSocket, createServer } from 'node:net'
import * as assert from 'uvu/assert'
import { connect } from '../../../server/db/connect.ts'
import { openDatabase } from '../../../server/open-database.ts'
import { activateModel } from '../../../server/sql/installation/installation.ts'
import { newHome } from '../../cli/run-cli.ts'
import { createPostgresDatabase, silent } from '../../database.ts'
import { openService } from '../../http/service.ts'
import { openTransport } from '../../http/transport.ts'
import { suite } from '../../suite.ts'

const test = suite('a database that lets nothing be written any more')

test('/readyz is 503 then, since every request with a key is, and what is to be written is told why', async () => {
  const { url, drop } = await createPostgresDatabase()
  const service = await openService()
  const [open, closed] = [connect({ url }), connect({ url: `${url}?default_transaction_read_only=on` })]
  try {
    const name = 'model-of-the-tests'
    const { modelId: id } = await activateModel(open, { name, dimensions: 3 })
    for (const sql of [open, closed]) {
      const transport = await openTransport('app.fetch', { ...service.deps, sql, model: { name, id } })
      const response = await transport.send({ path: '/readyz' })
      assert.is(response.status, sql === open ? 200 : 503)
      assert.match(await response.text(), `"database":{"ok":${sql === open}}`)
      const made = await transport.send({
        method: 'POST',
        path: '/operator/projects',
        headers: { authorization: `Bearer ${service.deps.operatorToken}`, 'content-type': 'application/json' },
        body: '{"name":"Hotel"}',
      })
      const told = await made.text()
      assert.is(made.status, sql === open ? 201 : 503, told)
      if (sql === closed) assert.match(told, 'The database takes no writes just now')
    }
  } finally {
    await Promise.all([open.end(), closed.end(), service.close()])
    await drop()
  }
})

test('a server does not start on one, also where it has nothing to migrate; a command reads it', async () => {
  const { url, drop } = await createPostgresDatabase()
  const config = { home: newHome(), databaseUrl: `${url}?default_transaction_read_only=on` }
  try {
    let refusal: unknown
    await openDatabase(config, silent).catch((error: unknown) => {
      refusal = error
    })
    assert.match(String(refusal), /is read-only.*Set DATABASE_URL to the address of the primary/)
    await (await openDatabase(config, silent, { shortLived: true })).close()
  } finally {
    await drop()
  }
})

test('a pooler that answers some connections from a replica is refused, to a command as well', async () => {
  const { url, drop } = await createPostgresDatabase()
  const pooler = await startReadSplittingPooler(new URL(url))
  const databaseUrl = Object.assign(new URL(url), { host: pooler.host }).href
  try {
    for (const shortLived of [false, true]) {
      const refusal = await openDatabase({ home: newHome(), databaseUrl }, silent, { shortLived }).catch(String)
      assert.match(String(refusal), /answers reads from replicas.*load_balance_mode = off/)
    }
  } finally {
    pooler.close()
    await drop()
  }
})

/** Every third connection may only read, as those that Pgpool-II takes to a standby. */
async function startReadSplittingPooler({ hostname, port }: URL) {
  let accepted = 0
  const server = createServer((near) => {
    const far = connectSocket(Number(port), hostname)
    near.once('data', (startup) => {
      far.write(++accepted % 3 === 0 ? readingOnly(startup) : startup)
      near.pipe(far).pipe(near)
    })
    near.on('error', () => {}).on('close', () => far.destroy())
    far.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  assert.ok(typeof address === 'object' && address)
  return { host: `127.0.0.1:${address?.port}`, close: () => server.close() }
}

/** A startup message: its length, the version, names and values that end with a zero each, and a zero. */
function readingOnly(startup: Buffer): Buffer {
  const added = Buffer.from('default_transaction_read_only\0on\0\0')
  const message = Buffer.concat([startup.subarray(0, -1), added])
  message.writeInt32BE(message.length)
  return message
}

test.run()
