import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { TLSSocket } from 'node:tls'
import * as assert from 'uvu/assert'
import { connect } from '../../server/db/connect.ts'
import { codeOf } from '../../src/contract/code-of.ts'
import { suite } from '../suite.ts'
import { until } from '../waiting.ts'

const test = suite('the certificate of a PostgreSQL')

const REFUSED = '28000'
const FIELDS = `SFATAL\0C${REFUSED}\0Mno\0\0`
/** PostgreSQL's message of an error. */
const REFUSAL = Buffer.concat([Buffer.from(['E'.charCodeAt(0), 0, 0, 0, 4 + FIELDS.length]), Buffer.from(FIELDS)])

/** A server that shows a certificate for these names (`DNS:localhost`), and then refuses each session, or says nothing. */
async function startServer(names: string, { answers = true } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'pullquote-certificate-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=database', '-days', '2']
  execFileSync('openssl', [...request, '-addext', `subjectAltName=${names}`, '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  })
  const secured = { isServer: true, key: await readFile(key), cert: await readFile(cert) }
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => {}).on('close', () => open.delete(socket))
    socket.once('data', () => {
      socket.write('S')
      const session = new TLSSocket(socket, secured).on('error', () => {})
      session.once('data', () => answers && session.end(REFUSAL))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const stop = async () => {
    await new Promise((resolve) => server.close(resolve))
    await rm(folder, { recursive: true })
  }
  return { port: typeof address === 'object' ? (address?.port ?? 0) : 0, authority: cert, open, stop }
}

/**
 * The code of what a connection fails with.
 * @param names in the certificate
 * @param addressOf makes the address, from the server's port and the file of an authority that issued the certificate
 */
async function failureOf(names: string, addressOf: (port: number, authority: string) => string) {
  const { port, authority, stop } = await startServer(names)
  const sql = connect({ url: addressOf(port, authority) })
  const error = await sql`select 1`.catch((thrown: unknown) => thrown)
  await sql.end({ timeout: 1 })
  await stop()
  return codeOf(error)
}

test('is the reason that is told where nobody trusts it', async () => {
  const code = await failureOf(
    'DNS:localhost',
    (port) => `postgres://nobody@localhost:${port}/none?sslmode=verify-full`,
  )
  assert.is(code, 'DEPTH_ZERO_SELF_SIGNED_CERT')
})

for (const [what, also] of [
  ['the only host', ''],
  ['one of several hosts', ',127.0.0.1:1'],
] as const) {
  const address = (port: number, authority: string) =>
    `postgres://nobody@127.0.0.1:${port}${also}/none?sslmode=verify-full&sslrootcert=${authority}`

  test(`is compared with the number of ${what}`, async () => {
    assert.is(await failureOf('IP:127.0.0.1', address), REFUSED)
    for (const names of ['IP:127.0.0.2', 'DNS:localhost'])
      assert.is(await failureOf(names, address), 'ERR_TLS_CERT_ALTNAME_INVALID', names)
  })
}

for (const also of ['', ',127.0.0.1:1']) {
  test(`can be on its way when the pool ends: no connection stays open (127.0.0.1${also})`, async () => {
    const { port, open, stop } = await startServer('DNS:localhost', { answers: false })
    for (let delay = 0; delay < 40; delay += 2) {
      const sql = connect({ url: `postgres://nobody@127.0.0.1:${port}${also}/none?sslmode=require` })
      const outcomes = Promise.allSettled(Array.from({ length: 10 }, () => sql`select 1`))
      await sleep(delay)
      await sql.end({ timeout: 0 })
      await outcomes
    }
    await until('all are closed', () => open.size === 0)
    await stop()
  })
}

test.run()
