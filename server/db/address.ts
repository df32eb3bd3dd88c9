import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { type ConnectionOptions, checkServerIdentity } from 'node:tls'
import { CodedError } from '../../src/contract/code-of.ts'
import { defined } from '../../src/contract/defined.ts'
import { isLoopback } from '../../src/contract/loopback.ts'

/** A PostgreSQL address, as in `DATABASE_URL`, in postgres.js's terms. */
export interface DatabaseAddress {
  /** Empty when neither the address nor PGHOST names one; then this machine. */
  hosts: { host: string; port: number | undefined }[]
  user?: string
  password?: string
  database?: string
  /** From the query string. */
  max?: number
  prepare?: boolean
  connectTimeout?: number
  targetSessionAttrs?: SessionAttribute
  /** TLS from the first byte, without negotiation (PostgreSQL 17). */
  directTls?: true
  ssl?: false | 'prefer' | ConnectionOptions
  /** Session settings. */
  session: Record<string, string>
}

const SESSION_ATTRIBUTES = ['read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const
export type SessionAttribute = (typeof SESSION_ATTRIBUTES)[number]

/** The address cannot be parsed; the message says why without quoting it. */
export class AddressInvalid extends CodedError<'address_invalid'> {
  constructor(message: string) {
    super('address_invalid', message)
  }
}

const SHAPE = /^postgres(?:ql)?:\/\/(?:([^/?#]*)@)?([^@/?#]*)(?:\/([^@/?#]*))?(?:\?([^#]*))?$/
/** A socket's folder may have colons (Cloud SQL: `/cloudsql/project:region:instance`). */
const HOST = /^(\[[\da-f:.%]+\]|\/.*?|[^:[\]]*)(?::(\d{1,5}))?$/i
const BOOLEAN = ['true', 'false']
const PORT = /^\d{1,5}$/

/**
 * A backup occupies one for minutes, and everything else would wait for it; Prisma's addresses for serverless functions ask
 * for one.
 */
export const FEWEST_CONNECTIONS = 2

/** Options of libpq and other drivers that mean nothing to this one. */
const WITHOUT_MEANING = new Set([
  'fallback_application_name',
  'gssencmode',
  'keepalives',
  'keepalives_count',
  'keepalives_idle',
  'keepalives_interval',
  'pool_timeout',
  'socket_timeout',
  'sslcompression',
  'sslsni',
  'supa',
  'tcp_user_timeout',
  'uselibpqcompat',
])

/**
 * Parses an address as hosting providers give it: libpq's format, including several hosts and sockets, which Node's URL
 * cannot parse, with the query parameters of Prisma and other drivers. The remaining parameters are session settings, which
 * PostgreSQL checks.
 * @throws {AddressInvalid}
 */
export function readDatabaseAddress(text: string): DatabaseAddress {
  const [, credentials, hostList = '', name, queryText] =
    SHAPE.exec(text) ??
    invalid(
      'must be an address such as postgres://user:password@host:5432/database; write characters of the password such as # / ? @ % as %23 %2F %3F %40 %25',
    )
  const query = new Map(new URLSearchParams(queryText))
  const take = (key: string) => {
    const value = query.get(key)
    query.delete(key)
    return value
  }
  const [user = '', ...rest] = (credentials ?? '').split(':')
  // Both may list several hosts.
  const hosts = hostsOf((take('host') ?? decoded(hostList)) || (process.env.PGHOST ?? ''), take('port'))
  const schema = take('schema')
  const oneOf = (key: string, values: readonly string[]) => {
    const value = take(key) || undefined
    if (value === undefined || values.includes(value)) return value
    return invalid(`has an unknown ${key}: use ${values.join(' or ')}`)
  }
  const ssl = tlsOf(take, oneOf('channel_binding', ['disable', 'prefer', 'require']), hosts)
  const unprepared = [
    oneOf('prepare', BOOLEAN) === 'false',
    oneOf('pgbouncer', BOOLEAN) === 'true',
    take('statement_cache_size') === '0',
  ]
  const most = wholeNumber('max', take('max')) ?? wholeNumber('connection_limit', take('connection_limit'))
  // `schema=public` is Prisma's default and carries no meaning.
  const session: Record<string, string> = schema === undefined || schema === 'public' ? {} : { search_path: schema }
  const address = defined({
    hosts,
    user: (take('user') ?? decoded(user)) || undefined,
    password: (take('password') ?? decoded(rest.join(':'))) || undefined,
    database: (take('dbname') ?? decoded(name ?? '')) || undefined,
    max: most && Math.max(most, FEWEST_CONNECTIONS),
    prepare: unprepared.includes(true) ? false : undefined,
    connectTimeout: wholeNumber('connect_timeout', take('connect_timeout')),
    targetSessionAttrs: sessionAttribute(take('target_session_attrs') ?? process.env.PGTARGETSESSIONATTRS),
    directTls: oneOf('sslnegotiation', ['postgres', 'direct']) === 'direct' || undefined,
    ssl,
    session,
  })
  for (const [key, value] of query) if (!WITHOUT_MEANING.has(key)) session[key] = value
  return address
}

/** `db.example:5432`, for messages: never the password. */
export function placeOf(text: string): string {
  const { hosts } = readDatabaseAddress(text)
  const places = hosts.map(({ host, port }) =>
    port === undefined ? host : `${host.includes(':') ? `[${host}]` : host}:${port}`,
  )
  return places.join(',') || 'localhost'
}

function hostsOf(list: string, ports: string | undefined): DatabaseAddress['hosts'] {
  if (list === '') return []
  const given = (ports ?? '').split(',')
  return list.split(',').map((one, i) => {
    const other = given[i] ?? given[0] ?? ''
    if (other !== '' && !PORT.test(other)) return invalid('has a port that is not a number')
    const port = other === '' ? undefined : Number(other)
    const [, host, own] = HOST.exec(one) ?? invalid('has an invalid host or port')
    return { host: (host || 'localhost').replace(/^\[|\]$/g, ''), port: own === undefined ? port : Number(own) }
  })
}

/** libpq's parameters for encryption and certificate verification, or else its environment variables of the same meaning. */
function tlsOf(
  take: (key: string) => string | undefined,
  binding: string | undefined,
  hosts: DatabaseAddress['hosts'],
): DatabaseAddress['ssl'] {
  const { PGSSLMODE, PGSSLROOTCERT, PGSSLCERT, PGSSLKEY } = process.env
  const [named, other] = [take('sslmode'), take('ssl')]
  const rootFile = (take('sslrootcert') ?? PGSSLROOTCERT) || undefined
  const [certFile, keyFile] = [take('sslcert') ?? PGSSLCERT, take('sslkey') ?? PGSSLKEY]
  let mode = named ?? (other === 'true' ? 'verify-full' : other === 'false' ? 'disable' : (other ?? PGSSLMODE))
  if (rootFile !== undefined && mode === 'require') mode = 'verify-ca'
  // The library has no channel binding, but a verified certificate rules out a man in the middle just as well.
  if (binding === 'require' || rootFile === 'system') mode = 'verify-full'
  if (hosts.some(isSocket)) return undefined
  // Some hosts give an address without it and refuse what is not encrypted (Heroku); libpq prefers TLS, too.
  if (!mode) return hosts.every(({ host }) => isLoopback(host)) ? undefined : 'prefer'
  const files = defined({
    ca: rootFile === undefined || rootFile === 'system' ? undefined : contentOf('sslrootcert', rootFile),
    cert: certFile && contentOf('sslcert', certFile),
    key: keyFile && contentOf('sslkey', keyFile),
  })
  const [only] = hosts.length === 1 ? hosts : []
  switch (mode) {
    case 'disable':
      return false
    case 'allow':
    case 'prefer':
      return 'prefer'
    case 'require':
    case 'no-verify':
      return { ...files, rejectUnauthorized: false }
    case 'verify-ca':
      return { ...files, rejectUnauthorized: true, checkServerIdentity: () => undefined }
    case 'verify-full':
      // For a numeric address Node gets no name to compare.
      if (!only || isIP(only.host) === 0) return { ...files, rejectUnauthorized: true }
      return {
        ...files,
        rejectUnauthorized: true,
        checkServerIdentity: (_, peer) => checkServerIdentity(only.host, peer),
      }
    default:
      return invalid('has an unknown sslmode: use disable, prefer, require, verify-ca or verify-full')
  }
}

/** Whether a host is the folder of a Unix socket, over which there is no TLS. */
export function isSocket({ host }: { host: string }): boolean {
  return host.startsWith('/')
}

function contentOf(key: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return invalid(`names a file in ${key} that cannot be read: ${error instanceof Error ? error.message : 'unknown'}`)
  }
}

function wholeNumber(key: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  return /^[1-9]\d{0,3}$/.test(text) ? Number(text) : invalid(`has a ${key} that is not a whole number from 1 to 9999`)
}

function sessionAttribute(text: string | undefined): SessionAttribute | undefined {
  if (text === undefined || text === 'any') return undefined
  const known = SESSION_ATTRIBUTES.find((one) => one === text)
  return known ?? invalid(`has an unknown target_session_attrs: use any, ${SESSION_ATTRIBUTES.join(', ')}`)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return invalid('has a % that does not begin a character code: write it as %25')
  }
}

function invalid(message: string): never {
  throw new AddressInvalid(message)
}
