import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { readConfig } from '../../server/config.ts'
import { placeOf, readDatabaseAddress } from '../../server/db/address.ts'
import { suite } from '../suite.ts'

const test = suite('the address of the database')
const folder = await mkdtemp(join(tmpdir(), 'pullquote-address-'))
test.after(() => rm(folder, { recursive: true, force: true }))

/** What an address in the wild means; each is of the kind that the named host or library gives. */
const MEANT: Record<string, [address: string, meant: object]> = {
  plain: [
    'postgres://ann:secret@db.example:6543/reviews',
    {
      hosts: [{ host: 'db.example', port: 6543 }],
      user: 'ann',
      password: 'secret',
      database: 'reviews',
      ssl: 'prefer',
    },
  ],
  'this machine, between which and itself nobody can listen': [
    'postgres://ann@localhost,127.0.0.1/d',
    {
      hosts: [
        { host: 'localhost', port: undefined },
        { host: '127.0.0.1', port: undefined },
      ],
      user: 'ann',
      database: 'd',
    },
  ],
  'a password of any characters': [
    'postgresql://ann:p%40s%23s%2F%3A%25@db/reviews',
    {
      hosts: [{ host: 'db', port: undefined }],
      user: 'ann',
      password: 'p@s#s/:%',
      database: 'reviews',
      ssl: 'prefer',
    },
  ],
  'several hosts': [
    'postgres://a:1,b,[::1]:3/d?target_session_attrs=primary',
    {
      hosts: [
        { host: 'a', port: 1 },
        { host: 'b', port: undefined },
        { host: '::1', port: 3 },
      ],
      database: 'd',
      targetSessionAttrs: 'primary',
      ssl: 'prefer',
    },
  ],
  'a socket as libpq has it': [
    'postgresql://ann@/d?host=/var/run/postgresql&port=5433',
    { hosts: [{ host: '/var/run/postgresql', port: 5433 }], user: 'ann', database: 'd' },
  ],
  'a socket in the place of the host': [
    'postgresql://%2Fvar%2Frun%2Fpostgresql:5433/d',
    { hosts: [{ host: '/var/run/postgresql', port: 5433 }], database: 'd' },
  ],
  'a socket of Cloud SQL, whose folder has colons': [
    'postgres://ann:secret@localhost/d?host=/cloudsql/project:europe-west3:hotel&sslmode=require',
    {
      hosts: [{ host: '/cloudsql/project:europe-west3:hotel', port: undefined }],
      user: 'ann',
      password: 'secret',
      database: 'd',
    },
  ],
  'nothing but the scheme': ['postgres://', { hosts: [] }],
  'Prisma behind a pooler': [
    'postgres://h/d?pgbouncer=true&connection_limit=1&pool_timeout=20&schema=public&connect_timeout=15',
    {
      hosts: [{ host: 'h', port: undefined }],
      database: 'd',
      max: 2,
      prepare: false,
      connectTimeout: 15,
      ssl: 'prefer',
    },
  ],
  'settings of the session': [
    'postgres://h/d?search_path=reviews,public&options=-c%20geqo%3Doff&application_name=x&keepalives=1&prepare=false&max=3',
    {
      hosts: [{ host: 'h', port: undefined }],
      database: 'd',
      max: 3,
      prepare: false,
      ssl: 'prefer',
      session: { search_path: 'reviews,public', options: '-c geqo=off', application_name: 'x' },
    },
  ],
  'TLS that nobody verifies': [
    'postgres://h/d?sslmode=require&uselibpqcompat=true',
    { hosts: [{ host: 'h', port: undefined }], database: 'd', ssl: { rejectUnauthorized: false } },
  ],
  'channel binding, as Neon gives it: the certificate is verified': [
    'postgres://h/d?sslmode=require&channel_binding=require',
    { hosts: [{ host: 'h', port: undefined }], database: 'd', ssl: { rejectUnauthorized: true } },
  ],
  'TLS without asking': [
    'postgres://h/d?sslmode=require&sslnegotiation=direct',
    { hosts: [{ host: 'h', port: undefined }], database: 'd', ssl: { rejectUnauthorized: false }, directTls: true },
  ],
  'no TLS': ['postgres://h/d?sslmode=disable', { hosts: [{ host: 'h', port: undefined }], database: 'd', ssl: false }],
}

for (const [what, [address, meant]] of Object.entries(MEANT)) {
  test(`${what}: it is read as it is meant`, () =>
    assert.equal(readDatabaseAddress(address), { session: {}, ...meant }))
}

/** What the TLS of an address is given, and how it takes a certificate for the name. */
function tlsOf(query: string, host = 'db.example', certified = 'DNS:db.example') {
  const { ssl } = readDatabaseAddress(`postgres://${host}/d?${query}`)
  if (!ssl || ssl === 'prefer') return ssl
  const peer = { subject: {}, subjectaltname: certified } as never
  const { checkServerIdentity: check, ...given } = ssl
  return { ...given, nameIsRefused: check && check('', peer) !== undefined }
}

test('a file of authorities is read, and verifies the server: its signer, or its name too', () => {
  const file = join(folder, 'ca.pem')
  writeFileSync(file, 'PEM')
  const verified = { ca: 'PEM', rejectUnauthorized: true }
  // What `require` means in libpq where a file is named.
  for (const mode of ['verify-ca', 'require'])
    assert.equal(tlsOf(`sslmode=${mode}&sslrootcert=${file}`), { ...verified, nameIsRefused: false })
  assert.equal(tlsOf(`sslmode=verify-full&sslrootcert=${file}`), { ...verified, nameIsRefused: undefined })
  const byNumber = (certified: string) => tlsOf(`sslmode=verify-full&sslrootcert=${file}`, '10.0.0.1', certified)
  assert.equal(byNumber('IP Address:10.0.0.1'), { ...verified, nameIsRefused: false })
  assert.equal(byNumber('IP Address:10.0.0.2'), { ...verified, nameIsRefused: true })
})

test('what it leaves open is taken from the environment, as by libpq', () => {
  const authority = join(folder, 'authority.pem')
  writeFileSync(authority, 'PEM')
  try {
    process.env.PGSSLMODE = 'verify-full'
    assert.equal(tlsOf(''), { rejectUnauthorized: true, nameIsRefused: undefined })
    assert.equal(tlsOf('sslmode=require'), { rejectUnauthorized: false, nameIsRefused: undefined })
    process.env.PGSSLMODE = 'require'
    process.env.PGSSLROOTCERT = authority
    assert.equal(tlsOf(''), { ca: 'PEM', rejectUnauthorized: true, nameIsRefused: false })
  } finally {
    delete process.env.PGSSLMODE
    delete process.env.PGSSLROOTCERT
  }
})

test('what cannot be read is refused in words that hold no password', () => {
  const refusals: [string, RegExp][] = [
    ['mysql://root:hunter2@db/reviews', /must be an address such as/],
    ['postgres://ann:hunter2#x@db/reviews', /characters of the password such as # .* as %23/],
    ['postgres://ann:hunter2%@db/reviews', /a % that does not begin a character/],
    ['postgres://ann:hunter2@db:port/reviews', /an invalid host or port/],
    ['postgres://ann:hunter2@db/reviews?sslmode=verify', /an unknown sslmode/],
    [
      'postgres://ann:hunter2@db/reviews?sslrootcert=/absent.pem&sslmode=verify-ca',
      /in sslrootcert that cannot be read: ENOENT/,
    ],
    ['postgres://ann:hunter2@db/reviews?max=none', /a max that is not a whole number/],
    ['postgres://ann:hunter2@db/reviews?target_session_attrs=first', /an unknown target_session_attrs/],
    [
      'postgres://ann:hunter2@db/reviews?channel_binding=REQUIRE',
      /unknown channel_binding: use disable or prefer or req/,
    ],
    ['postgres://ann:hunter2@db/reviews?sslnegotiation=yes', /an unknown sslnegotiation: use postgres or direct/],
    ['postgres://ann:hunter2@db/reviews?prepare=off', /an unknown prepare: use true or false/],
    ['postgres://ann:hunter2@db/reviews?pgbouncer=1', /an unknown pgbouncer: use true or false/],
  ]
  for (const [address, told] of refusals) {
    const read = () => readConfig({ PULLQUOTE_HOME: folder, DATABASE_URL: address })
    assert.throws(read, (error: Error) => told.test(error.message) && !error.message.includes('hunter2'), address)
  }
})

test('it is named by its hosts', () => {
  assert.is(placeOf('postgres://ann:secret@a:1,[::1]:2,c/d'), 'a:1,[::1]:2,c')
})

test.run()
