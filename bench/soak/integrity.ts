import type { Pool } from '../../server/deps.ts'

/** What must hold between the tables when nothing is under way; each entry is a sentence and how many rows break it. */
export async function brokenInvariants(sql: Pool): Promise<string[]> {
  const checks: Record<string, Promise<readonly { count: number }[]>> = {
    'jobs left in the queue': sql`select count(*)::int as count from index_jobs`,
    'reviews that are not indexed': sql`select count(*)::int as count from reviews where status <> 'indexed'`,
    'reviews without an excerpt': sql`select count(*)::int as count from reviews r where not exists (
      select from excerpts e where e.project_id = r.project_id and e.review_id = r.id)`,
    'excerpts without a review': sql`select count(*)::int as count from excerpts e where not exists (
      select from reviews r where e.project_id = r.project_id and e.review_id = r.id)`,
    'excerpts that are no slice of their review': sql`select count(*)::int as count from excerpts e
      join reviews r on r.project_id = e.project_id and r.id = e.review_id
      where substr(r.text, e.start_offset + 1, e.end_offset - e.start_offset) <> e.text`,
    'excerpts that stand twice': sql`select count(*)::int as count from (
      select from excerpts group by project_id, review_id, start_offset having count(*) > 1) twice`,
    'reviews that stand twice': sql`select count(*)::int as count from (
      select from reviews group by project_id, env, source, external_id having count(*) > 1) twice`,
  }
  const broken: string[] = []
  for (const [what, rows] of Object.entries(checks)) {
    const count = (await rows)[0]?.count ?? 0
    if (count > 0) broken.push(`${count} ${what}`)
  }
  return broken
}
