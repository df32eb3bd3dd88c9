/** What a start fails with says what to do. */
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { readConfig } from '../../server/config.ts'
import { checkFileLimit, explainFolderError } from '../../server/db/home/folder-errors.ts'
import { hintOfRefusal } from '../../server/db/refused-connection.ts'
import { explainDatabaseError } from '../../server/open-database.ts'
import { openFilesLimit } from '../../server/process-limits.ts'
import { startServer } from '../../server/start.ts'
import { silent } from '../database.ts'
import { suite } from '../suite.ts'

const test = suite('a start that fails')
let home: string

test.before.each(async () => {
  home = await mkdtemp(join(tmpdir(), 'pullquote-start-'))
})
test.after.each(() => rm(home, { recursive: true, force: true }))

const config = (env: NodeJS.ProcessEnv = {}) => readConfig({ PULLQUOTE_HOME: home, PULLQUOTE_PORT: '0', ...env })
const start = (env?: NodeJS.ProcessEnv) => startServer(config(env), { log: silent })
const coded = (code: string) => Object.assign(new Error(code), { code })
const refused = Object.assign(coded('42501'), { severity: 'ERROR' })
const PG = { DATABASE_URL: 'postgres://somebody:secret@db.example:5432/reviews' }

/** A start on a server that takes no connection, and says why as PostgreSQL does. */
async function startRefusedBy(code: string, message: string) {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)
  const head = Buffer.from('E\0\0\0\0')
  head.writeUInt32BE(fields.length + 4, 1)
  const server = createServer((socket) => socket.once('data', () => socket.end(Buffer.concat([head, fields]))))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return start({ DATABASE_URL: `postgres://ann:secret@127.0.0.1:${port}/reviews` }).finally(() => server.close())
}

/** Ends with the error that somebody is told. */
const failures: Record<string, { told: RegExp; fail: () => unknown }> = {
  'the port is taken': {
    told: /^Cannot listen on 127\.0\.0\.1, port \d+: another program is using this port, perhaps a Pullquote .+, such as npm run demo\. Choose another with --host and --port/,
    async fail() {
      const other = createServer().listen(0, '127.0.0.1')
      await once(other, 'listening')
      const { port } = other.address() as AddressInfo
      return start({ PULLQUOTE_PORT: String(port) }).finally(() => other.close())
    },
  },
  'the database fell silent': {
    told: /db\.example:5432 stopped answering.*\(CONNECT_TIMEOUT\).*Check that PostgreSQL is running and reachable.*, then start again/,
    fail: () => Promise.reject(explainDatabaseError(coded('CONNECT_TIMEOUT'), config(PG))),
  },
  'the database refuses a step': {
    told: /db\.example:5432 refused an operation: .*42501.*Check the privileges of this role, then start again/,
    fail: () => Promise.reject(explainDatabaseError(refused, config(PG))),
  },
  'a pooler takes no settings of a session': {
    told: /refused the connection: unsupported startup parameter: jit\. It is a pooler.*and jit, .*ignore_startup_parameters there/,
    fail: () => startRefusedBy('08P01', 'unsupported startup parameter: jit'),
  },
  'the server is so old that it knows fewer settings': {
    told: /refused the connection: unrecognized configuration parameter "jit"\. Correct it if.* 15 or newer is needed/,
    fail: () => startRefusedBy('42704', 'unrecognized configuration parameter "jit"'),
  },
  'the database takes encrypted connections only': {
    told: /refused the connection: no pg_hba\.conf entry.*no encryption\. .*add \?sslmode=require to DATABASE_URL/,
    fail: () =>
      startRefusedBy('28000', 'no pg_hba.conf entry for host "1.2.3.4", user "ann", database "r", no encryption'),
  },
  'the database takes connections without TLS only': {
    told: /^Allow this connection in pg_hba\.conf\. If .* add \?sslmode=disable to DATABASE_URL/,
    fail: () => {
      const refused = Object.assign(coded('28000'), { severity: 'FATAL', message: 'pg_hba.conf rejects connection' })
      return Promise.reject(new Error(hintOfRefusal(refused, 'prefer')))
    },
  },
  'the certificate of the database names another host': {
    told: /^In DATABASE_URL, use the host name from its certificate, or sslmode=verify-ca/,
    fail: () => Promise.reject(new Error(hintOfRefusal(coded('ERR_TLS_CERT_ALTNAME_INVALID'), {}))),
  },
  'the database is a copy for reading': {
    told: /db\.example:5432 is read-only.*Set DATABASE_URL to the address of the primary/,
    fail: () => Promise.reject(explainDatabaseError(coded('25006'), config(PG))),
  },
  'the database has no connection left': {
    told: /db\.example:5432 has too few connections left.*raise the limit of the role/,
    fail: () => Promise.reject(explainDatabaseError(coded('53300'), config(PG))),
  },
  'the database lacks tables': {
    told: /db\.example:5432 lacks tables that it had .* Restore a backup into an empty database/,
    fail: () => Promise.reject(explainDatabaseError(coded('42P01'), config(PG))),
  },
  'the embedded database fell silent': {
    told: /The embedded database in .* stopped answering.*Check whether this machine is very busy or its disk is full/,
    fail: () => Promise.reject(explainDatabaseError(coded('CONNECT_TIMEOUT'), config())),
  },
  'the disk is full': {
    told: /no room left on the disk.*Free some space .* or choose another folder with PULLQUOTE_HOME/,
    fail: () => Promise.reject(explainFolderError(coded('ENOSPC'), home)),
  },
  'the disk of the embedded database filled up, which its connection says as its end': {
    told: /no room left on the disk that holds \/proc\/self\. Free some space .*or choose another folder with PULLQUOTE_HOME/,
    // Linux says of this one that it has no free block.
    fail: () =>
      Promise.reject(explainDatabaseError(coded('CONNECTION_CLOSED'), config({ PULLQUOTE_HOME: '/proc/self' }))),
  },
  'the disk of PostgreSQL is full': {
    told: /db\.example:5432 has no room left on its disk.*Free some space there, then start again/,
    fail: () => Promise.reject(explainDatabaseError(coded('53100'), config(PG))),
  },
  'the folder can only be read': {
    told: /is on a read-only disk. Mount it for writing, or choose another folder with PULLQUOTE_HOME/,
    fail: () => Promise.reject(explainFolderError(coded('EROFS'), home)),
  },
  'the folder may not be written': {
    told: /This user cannot write to the folder .*\. Change its owner, or choose another folder with PULLQUOTE_HOME/,
    fail: () => Promise.reject(explainFolderError(coded('EACCES'), home)),
  },
  'the database in the folder belongs to root': {
    told: /This user cannot write to the folder .*\/data\. Change its owner/,
    fail: () => Promise.reject(explainFolderError(Object.assign(coded('EPERM'), { path: join(home, 'data') }), home)),
  },
  'too few files may be open': {
    told: /more open files than this process is allowed.*Nothing is damaged: raise the limit to 1024/,
    fail: () => Promise.reject(explainFolderError(coded('EMFILE'), home)),
  },
  'the user may have no more threads': {
    told: /needs a thread, .* Nothing is damaged: raise the limit .*\(ulimit -u, /,
    fail: () => Promise.reject(explainFolderError(coded('ERR_WORKER_INIT_FAILED'), home)),
  },
  'so few files may be open that the database would be begun and not come to its end': {
    told: /more open files than this process is allowed \(255\)\. Nothing is damaged: raise the limit to 1024/,
    fail: async () =>
      checkFileLimit(openFilesLimit('Max open files            255                  4096  files'), home),
  },
  'there is no room for a socket': {
    told: /needs a folder for a socket.*\/absent\/.*TMPDIR set to a folder that this user may write/,
    async fail() {
      const { TMPDIR = '' } = process.env
      process.env.TMPDIR = join(home, 'absent')
      const long = join(home, 'x'.repeat(90))
      return startServer(config({ PULLQUOTE_HOME: long }), { log: silent }).finally(() => {
        process.env.TMPDIR = TMPDIR
      })
    },
  },
  'the folder of the database is not whole': {
    told: /is incomplete.*restore a backup: pullquote restore FILE/,
    async fail() {
      await mkdir(join(home, 'data'))
      await writeFile(join(home, 'data', 'PG_VERSION'), '17\n')
      return start()
    },
  },
  'the configuration file cannot be read': {
    told: /PULLQUOTE_CONFIG names a file that cannot be read: ENOENT/,
    fail: async () => config({ PULLQUOTE_CONFIG: join(home, 'absent.env') }),
  },
  'DATABASE_URL is no address of PostgreSQL': {
    told: /DATABASE_URL must be an address such as postgres:\/\//,
    fail: async () => config({ DATABASE_URL: 'mysql://root:hunter2@db/reviews' }),
  },
}

for (const [what, { told, fail }] of Object.entries(failures)) {
  test(`${what}: the message says what to do`, async () => {
    let error: unknown
    try {
      await fail()
    } catch (failed) {
      error = failed
    }
    assert.instance(error, Error)
    assert.match(error instanceof Error ? error.message : '', told)
    assert.not.match(error instanceof Error ? error.message : '', /secret|hunter2/)
  })
}

test('too little memory for the embedded database is told before the system ends the server', async () => {
  const { constrainedMemory } = process
  const told: string[] = []
  const log = { ...silent, warn: (_: object, message: string) => void told.push(message) }
  await mkdir(join(home, 'data'))
  await writeFile(join(home, 'data', 'PG_VERSION'), '17\n')
  const fails = () => startServer(config(), { log }).catch(() => {})
  try {
    process.constrainedMemory = () => 256 * 2 ** 20
    await fails()
    process.constrainedMemory = () => 512 * 2 ** 20
    await fails()
  } finally {
    process.constrainedMemory = constrainedMemory
  }
  assert.is(told.length, 1)
  assert.match(told[0] ?? '', /^There are 256 MB of memory.*needs 512.*or set DATABASE_URL/)
})

test('a port to which browsers send nothing is told at the start, and no other', async () => {
  const told: string[] = []
  const log = { ...silent, warn: (_: object, message: string) => void told.push(message) }
  await mkdir(join(home, 'data'))
  await writeFile(join(home, 'data', 'PG_VERSION'), '17\n')
  for (const PULLQUOTE_PORT of ['4190', '6000', '6001']) {
    const named = config({ PULLQUOTE_PORT })
    await startServer(named, { log }).catch(() => {})
  }
  const refused = told.filter((line) => line.includes('no request to port')).map((line) => /port (\d+)/.exec(line)?.[1])
  assert.equal(refused, ['4190', '6000'])
  assert.match(told.find((line) => line.includes('4190')) ?? '', /choose another with --port or PULLQUOTE_PORT/)
})

test.run()
