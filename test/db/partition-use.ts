import type { Pool } from '../../server/deps.ts'

/** How often each partition was read or written so far. */
export async function uses(sql: Pool): Promise<Map<string, number>> {
  await sql`select pg_stat_force_next_flush()`
  const rows = await sql<{ name: string; uses: string }[]>`
    select relname as name, seq_scan + coalesce(idx_scan, 0) + n_tup_ins + n_tup_upd + n_tup_del as uses
    from pg_stat_user_tables where relname ~ '^(reviews|excerpts|index_jobs)_[0-9]+$'`
  return new Map(rows.map((row) => [row.name, Number(row.uses)]))
}

/** The remainders of the partitions that `work` used, which goes by the same one connection. */
export async function usedBy(sql: Pool, work: () => Promise<unknown>): Promise<number[]> {
  const before = await uses(sql)
  await work()
  const after = await uses(sql)
  const used = [...after].filter(([name, count]) => count > (before.get(name) ?? 0))
  return [...new Set(used.map(([name]) => Number(name.replace(/^.*_/, ''))))]
}
