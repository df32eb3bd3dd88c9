import { randomUUID } from 'node:crypto'
import postgres from 'postgres'
import { connect } from '../server/db/connect.ts'
import { distribute } from '../server/db/distribute.ts'
import { migrate } from '../server/db/migrate.ts'
import type { Log } from '../server/deps.ts'
import { codeOf } from '../src/contract/code-of.ts'

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} }
/** Enough to use all servers; a statement on all projects queries every shard, and a test has few projects. */
const SHARDS = 4

/**
 * Creates a database on the cluster whose coordinator is at `CITUS_TEST_DATABASE_URL`, by default migrated and
 * distributed over all servers.
 */
export async function createCitusDatabase({
  migrated = true,
  distributed = true,
} = {}): Promise<{ url: string; drop(): Promise<void> }> {
  const address = process.env.CITUS_TEST_DATABASE_URL
  if (!address) throw new Error('CITUS_TEST_DATABASE_URL is not set')
  const name = `pullquote_test_${randomUUID().replaceAll('-', '')}`
  const nodes = await nodesOf(address)
  const servers = nodes.map(({ host, port }) => on(address, { host, port }))
  const url = on(address, { database: name })
  await Promise.all(servers.map((server) => run(server, [`create database ${name}`])))
  await Promise.all(
    servers.map((server) => run(on(server, { database: name }), ['create extension citus', 'create extension vector'])),
  )
  await inTurn(address, () =>
    run(url, [
      `alter database ${name} set citus.shard_count = ${SHARDS}`,
      ...nodes.map(({ host, port, coordinator }) =>
        coordinator
          ? `select citus_set_coordinator_host('${host}', ${port})`
          : `select citus_add_node('${host}', ${port})`,
      ),
    ]),
  )
  if (migrated) {
    const sql = connect({ url, max: 1 })
    await migrate(sql, silent)
    if (distributed) await distribute(sql, silent)
    await sql.end()
  }
  return {
    url,
    async drop() {
      await Promise.all(servers.map((server) => dropped(server, name)))
    },
  }
}

/** Adding a server syncs its roles, which all its databases share: two at once fail with "tuple concurrently updated". */
async function inTurn(address: string, work: () => Promise<void>): Promise<void> {
  const sql = postgres(address, { max: 1, onnotice() {} })
  try {
    await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtext('pullquote: servers of a cluster'))`
      await work()
    })
  } finally {
    await sql.end()
  }
}

const IN_USE = '55006'

/** Drops a database with retries: the servers of a cluster keep reconnecting to each other's databases for maintenance. */
async function dropped(server: string, name: string, tries = 10): Promise<void> {
  try {
    await run(server, [`drop database if exists ${name} with (force)`])
  } catch (error) {
    if (tries === 1 || codeOf(error) !== IN_USE) throw error
    await dropped(server, name, tries - 1)
  }
}

/** The cluster's nodes, coordinator first. */
async function nodesOf(address: string) {
  const sql = postgres(address, { max: 1, onnotice() {} })
  const rows = await sql<{ host: string; port: number; coordinator: boolean }[]>`
    select nodename as host, nodeport as port, groupid = 0 as coordinator from pg_dist_node order by groupid`
  await sql.end()
  return [...rows]
}

function on(address: string, to: { host?: string; port?: number; database?: string }): string {
  const url = new URL(address)
  if (to.host !== undefined) url.hostname = to.host
  if (to.port !== undefined) url.port = String(to.port)
  if (to.database !== undefined) url.pathname = `/${to.database}`
  return url.href
}

async function run(url: string, statements: string[]): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice() {} })
  try {
    for (const statement of statements) await sql.unsafe(statement)
  } finally {
    await sql.end()
  }
}
