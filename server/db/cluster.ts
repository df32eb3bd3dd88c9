import type { Sql } from '../deps.ts'
import { tablesOf } from './distribution.ts'

/**
 * The projects on each server of a cluster, according to its coordinator: no other server is asked.
 * @returns by server; empty when the database is not distributed
 */
export async function projectsByServer(sql: Sql): Promise<Map<number, string[]>> {
  const [placed] = tablesOf('distributed')
  const [cluster] = await sql`select from pg_extension where extname = 'citus'`
  if (!cluster) return new Map()
  const rows = await sql<{ server: number; ids: string[] }[]>`
    select p.groupid as server, array_agg(id) as ids
    from (
      select id, get_shard_id_for_distribution_column(${placed ?? ''}::text::regclass, id) as shard from projects
      where exists (select from pg_dist_partition where logicalrelid = ${placed ?? ''}::text::regclass and partkey is not null)
    ) placed join pg_dist_placement p on p.shardid = placed.shard
    group by p.groupid`
  return new Map(rows.map(({ server, ids }) => [server, ids]))
}

export interface ClusterServer {
  server: number
  host: string
  port: number
}

/** The servers of a distributed database, including the coordinator. */
export async function clusterServers(sql: Sql): Promise<ClusterServer[]> {
  return sql<ClusterServer[]>`
    select groupid as server, nodename as host, nodeport as port from pg_dist_node
    where isactive and noderole = 'primary'`
}

/** Whether rows of projects are on other servers. Only asks the coordinator. */
export async function isDistributed(sql: Sql): Promise<boolean> {
  const [cluster] = await sql`select from pg_extension where extname = 'citus'`
  if (!cluster) return false
  const [placed] = tablesOf('distributed')
  const [found] = await sql`
    select from pg_dist_partition where logicalrelid = ${placed ?? ''}::text::regclass and partkey is not null`
  return found !== undefined
}

/** The server of a project in a distributed database. */
export async function serverOfProject(sql: Sql, projectId: string): Promise<number | undefined> {
  const [placed] = tablesOf('distributed')
  const [row] = await sql<{ server: number }[]>`
    select groupid as server from pg_dist_placement
    where shardid = get_shard_id_for_distribution_column(${placed ?? ''}::text::regclass, ${projectId}::text::uuid)`
  return row?.server
}
