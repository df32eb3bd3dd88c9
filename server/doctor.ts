import { readdir, statfs } from 'node:fs/promises'
import { formatCount, pluralize } from '../src/contract/counts.ts'
import type { Finding, ServerCheck } from '../src/contract/doctor.ts'
import { isLoopback } from '../src/contract/loopback.ts'
import { shellQuote } from '../src/contract/shell-quote.ts'
import { type ServerConfig, servesThisMachineOnly } from './config.ts'
import { consoleSettings } from './console/access.ts'
import { textFindings } from './db/collation.ts'
import { withDeadline } from './db/deadline.ts'
import { distributionOf } from './db/distribute.ts'
import { isWritable } from './db/session-settings.ts'
import { isTableGone } from './db/unavailable.ts'
import { demoSettings } from './demo/access.ts'
import type { Clock, Sql } from './deps.ts'
import { clockFinding } from './doctor/clock.ts'
import { diskFinding } from './doctor/disk.ts'
import { embeddingFindings } from './doctor/embedding.ts'
import { failure, ok, warning } from './doctor/finding.ts'
import { obstacleFindings } from './doctor/obstacles.ts'
import { queueFindings } from './doctor/queue.ts'
import type { Embedder } from './embed/embedder.ts'
import { refusedPortWarning } from './port.ts'
import { hasSimd } from './search/memory/kernel.ts'
import type { SearchMemory } from './search/memory/search-memory.ts'
import { databaseFacts, projectsWithKeys } from './sql/installation/diagnosis.ts'
import { activeModelId } from './sql/installation/installation.ts'
import { getProject } from './sql/projects/projects.ts'

export interface DoctorDeps {
  sql: Sql
  config: Pick<
    ServerConfig,
    | 'home'
    | 'host'
    | 'port'
    | 'publicUrl'
    | 'operatorToken'
    | 'databaseUrl'
    | 'demo'
    | 'demoProject'
    | 'console'
    | 'allowance'
  >
  embedder: Embedder
  model: { name: string; id: number }
  clock: Clock
  memory?: Pick<SearchMemory, 'state'> | undefined
}

/** @param thorough whether a slow embedding service gets a minute for the test of its scores; default no */
export type Doctor = (thorough?: boolean) => Promise<Finding[]>

const megabytes = (bytes: number) => `${formatCount(Math.round(bytes / 1e6))} MB`

const LONGEST_EMBEDDING_MS = 70_000
/** How many projects are named; the rest are counted. */
const MOST_ORIGIN_FINDINGS = 20

type Check = (deps: DoctorDeps, longestMs: number) => Finding | Finding[] | Promise<Finding | Finding[]>

const CHECKS: Partial<Record<ServerCheck, Check>> = {
  database,
  writing,
  locks: obstacleFindings,
  collation,
  distribution,
  queue: queueFindings,
  model,
  // With some time left to say that it was not enough.
  embedding: (deps, longestMs) => embeddingFindings(deps, longestMs * 0.9),
  memory: searchMemory,
  disk,
  origins,
  network,
  demo,
  console: consolePage,
}

/** Runs all checks concurrently and says what to do about each problem. A check that throws is a finding. */
export function createDoctor(deps: DoctorDeps, longestLookMs = 12_000): Doctor {
  return async (thorough = false) => {
    const findings = Object.entries(CHECKS).map(([check, look]) => {
      const ms = thorough && check === 'embedding' ? LONGEST_EMBEDDING_MS : longestLookMs
      return withDeadline(async () => look(deps, ms), ms).catch((error: unknown): Finding => {
        if (isTableGone(error)) return emptied(check)
        const message = error instanceof Error ? error.message : String(error)
        return { check, status: 'failure', message: `could not be checked: ${message}` }
      })
    })
    return (await Promise.all(findings)).flat()
  }
}

function emptied(check: string): Finding {
  const hint = 'stop the server and restore a backup (pullquote restore), or restart it to begin with an empty database'
  return { check, status: 'failure', message: 'the tables are gone: the database was emptied or replaced', hint }
}

async function database({ sql, config, clock }: DoctorDeps): Promise<Finding[]> {
  const { version, pgvector, migrations, migrated, now, bytes } = await databaseFacts(sql)
  const here = clock()
  const kind = config.databaseUrl === undefined ? 'embedded PostgreSQL' : 'PostgreSQL'
  const files = (await readdir(new URL('./db/migrations/', import.meta.url))).filter((name) => name.endsWith('.sql'))
  const missing = files.filter((name) => !migrations.includes(name))
  return [
    ok('database', `${kind} ${version}, pgvector ${pgvector} (0.5 or newer is needed), ${megabytes(bytes)}`),
    missing.length === 0
      ? ok('migrations', `all ${migrations.length} migrations are applied`)
      : failure('migrations', `not applied: ${missing.join(', ')}`, 'restart the server: it migrates when it starts'),
    clockFinding({ server: here, database: now, migrated }),
  ]
}

/** Reports only a read-only database. */
async function writing({ sql }: DoctorDeps): Promise<Finding[]> {
  if (await isWritable(sql)) return []
  const hint = 'set DATABASE_URL to the address of the primary, or turn off default_transaction_read_only'
  return [failure('database', 'is read-only: every request with a key is refused', hint)]
}

/** Reports only problems. */
async function collation({ sql }: DoctorDeps): Promise<Finding[]> {
  return (await textFindings(sql)).map(({ message, hint }) => warning('collation', message, hint))
}

/** Reports only a database with Citus: otherwise there is nothing to distribute it over. */
async function distribution({ sql }: DoctorDeps): Promise<Finding[]> {
  const { citus, workers, tables } = await distributionOf(sql)
  if (citus === undefined) return []
  const check = 'distribution'
  const over = `Citus ${citus} with ${pluralize(workers.length, 'data server')}`
  const names = (placement: string) => tables.filter(({ actual }) => actual === placement).map(({ table }) => table)
  const placed = `by project: ${names('distributed').join(', ') || 'nothing'}; copied to every server: ${names('reference').join(', ') || 'nothing'}`
  const due = tables.filter(({ wanted, actual }) => wanted !== actual).map(({ table }) => table)
  if (due.length === 0) return [ok(check, `${over}; ${placed}`)]
  const hint = 'pullquote database distribute --dry-run shows what it would do (docs/scaling.md)'
  if (names('distributed').length === 0) return [{ ...ok(check, `${over}: nothing is distributed`), hint }]
  return [warning(check, `${over}; ${placed}; not distributed: ${due.join(', ')}`, hint)]
}

async function model({ sql, model: { name, id } }: DoctorDeps): Promise<Finding> {
  if ((await activeModelId(sql)) === id) return ok('model', name)
  const message = `this server embeds with ${name}, but another model is active in the database`
  return failure(
    'model',
    message,
    'give all servers and commands the same embedding settings; a start of a server makes its model the active one',
  )
}

function searchMemory({ memory }: DoctorDeps): Finding {
  if (!memory) return ok('memory', 'searches are answered by the database')
  const { bytes, budget, loaded, refused, excerpts } = memory.state()
  const held = `${pluralize(excerpts, 'excerpt')} of ${pluralize(loaded, 'environment')} in ${megabytes(bytes)} of ${megabytes(budget)}`
  const kernel = hasSimd() ? '' : ', without SIMD on this machine'
  if (refused === 0) return ok('memory', `searches from memory: ${held}${kernel}`)
  const message = `no room for ${pluralize(refused, 'environment')}, searched by the database instead; ${held}${kernel}`
  return warning('memory', message, 'raise PULLQUOTE_SEARCH_MEMORY')
}

async function disk({ config }: DoctorDeps): Promise<Finding> {
  const { bavail, bsize } = await statfs(config.home)
  return diskFinding(bavail * bsize, config.home, config.databaseUrl === undefined)
}

async function origins({ sql }: DoctorDeps): Promise<Finding | Finding[]> {
  const projects = await projectsWithKeys(sql)
  const findings = projects.flatMap(({ name, origins: allowed, publishable }): Finding | Finding[] => {
    if (publishable > 0 && allowed.length === 0) {
      const message = `${name} has publishable keys but no allowed origin, so the keys work nowhere`
      return warning('origins', message, `pullquote projects set ${shellQuote(name)} --add-origin URL`)
    }
    const plain = allowed.filter((one) => one.startsWith('http:') && !isLoopback(new URL(one).hostname))
    if (plain.length === 0) return []
    return warning('origins', `${name} allows origins without TLS: ${plain.join(', ')}`, 'use https:// origins only')
  })
  const rest = findings.length - MOST_ORIGIN_FINDINGS
  if (rest > 0) {
    const more = warning('origins', `${pluralize(rest, 'more project')} with such findings`, 'fix these first')
    return [...findings.slice(0, MOST_ORIGIN_FINDINGS), more]
  }
  if (findings.length > 0) return findings
  return ok('origins', `checked ${pluralize(projects.length, 'project')}`)
}

function network({ config }: DoctorDeps): Finding {
  const { host, publicUrl, operatorToken } = config
  const refused = refusedPortWarning(config)
  if (refused !== undefined) return warning('network', refused.message, refused.hint)
  const url = publicUrl === undefined ? undefined : new URL(publicUrl)
  if (url?.protocol === 'http:' && !isLoopback(url.hostname)) {
    const message = `the public address ${publicUrl} has no TLS: keys are sent over the network unencrypted`
    return warning('network', message, 'put a proxy with TLS in front of the server: pullquote init caddy')
  }
  if (publicUrl === undefined && !servesThisMachineOnly({ host })) {
    const message = `the server listens on ${host}, and PULLQUOTE_PUBLIC_URL is not set`
    return warning('network', message, 'set it to the address that clients use')
  }
  const token =
    operatorToken === undefined ? 'a random operator token for this process' : 'the operator token that you set'
  return ok('network', `listens on ${host}, with ${token}`)
}

/** What `/demo` shows, and whether it is public by accident: a proxy need not identify itself. */
async function demo({ sql, config }: DoctorDeps): Promise<Finding> {
  const settings = demoSettings(config)
  if (!settings) return ok('demo', '/demo is off')
  const { access, project: name } = settings
  const project = await getProject(sql, name)
  if (!project) {
    if (config.demoProject === undefined) return ok('demo', '/demo has nothing to show')
    const hint = 'create it, or choose another with PULLQUOTE_DEMO_PROJECT'
    return warning('demo', `/demo is set to a project that does not exist: ${name}`, hint)
  }
  if (access === 'everyone') return ok('demo', `/demo shows ${name} to everyone, since PULLQUOTE_DEMO is true`)
  const all = await projectsWithKeys(sql)
  const outside = all.flatMap(({ origins: allowed }) => allowed).find((origin) => !isLoopback(new URL(origin).hostname))
  if (outside === undefined) return ok('demo', `/demo shows ${name} to this machine only`)
  const message = `${outside} may query this server, so there seems to be a proxy in front of it, and /demo may show ${name} to everyone`
  const hint = 'set PULLQUOTE_PUBLIC_URL, which also turns off /demo, or set PULLQUOTE_DEMO=true if everyone may see it'
  return warning('demo', message, hint)
}

function consolePage({ config }: DoctorDeps): Finding {
  const settings = consoleSettings(config)
  if (!settings) return ok('console', '/console is off')
  const { access, publicUrl } = settings
  if (access === 'loopback') return ok('console', '/console is for this machine only')
  const message = '/console is open to everyone who has a link, since PULLQUOTE_CONSOLE is true'
  if (publicUrl?.startsWith('https:')) return ok('console', message)
  const hint = 'put a proxy with TLS in front of the server and set PULLQUOTE_PUBLIC_URL to its https:// address'
  return warning('console', `${message}; without TLS, sessions can be intercepted`, hint)
}
