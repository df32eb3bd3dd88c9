import type { Sql } from '../deps.ts'
import { tablesOf } from './distribution.ts'

/**
 * Which projects lie together on a server of a cluster, by what its coordinator knows: no other server is asked.
 *
 * @returns by server; empty where the database is not distributed
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
