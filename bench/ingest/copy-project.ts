import { columnNames } from '../column-names.ts'
import type { BenchService } from '../service.ts'

export interface Copies {
  /** How many new projects, called `copy 1` and so on. */
  copies: number
  /** So many of them hold all of the reviews, the others `few`. */
  full: number
  few: number
}

/**
 * Copies the reviews and excerpts of the service's project, a thousand or fewer that are indexed, into new projects, on the
 * servers where each lies. Pushing so many would take hours.
 */
export async function copyProject({ sql, project }: BenchService, { copies, full, few }: Copies): Promise<void> {
  const citus = (await sql`select from pg_extension where extname = 'citus'`).length > 0
  await sql`insert into projects (name, plan) select 'copy ' || n, 'paid' from generate_series(1, ${copies}::int) n`
  await sql`
    insert into environments (project_id, env, review_count)
    select id, env, case when env = 'test' then 0 when split_part(name, ' ', 2)::int <= ${full}::int
      then (select count(*) from reviews where project_id = ${project.id}) else ${few}::int end
    from projects, unnest(array['live', 'test']) env where name like 'copy %'`
  for (const table of ['reviews', 'excerpts']) {
    await sql.unsafe(`create table bench_${table} as select * from ${table} where project_id = '${project.id}'`)
    if (citus) await sql.unsafe(`select create_reference_table('bench_${table}')`)
  }
  await sql.unsafe(`alter table bench_reviews add column place int`)
  await sql.unsafe(`with placed as (select id, row_number() over (order by external_id) as n from bench_reviews)
    update bench_reviews b set place = n from placed where placed.id = b.id`)
  const ofReviews = await columnNames(sql, 'reviews', ['project_id', 'id'])
  const ofExcerpts = await columnNames(sql, 'excerpts', ['project_id', 'review_id', 'id'])
  const from = (of: string) => `from environments e join ${of} on e.env = 'live' and e.review_count > 0
    and e.project_id in (select id from projects where name like 'copy %')`
  await sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`
    await tx.unsafe(`insert into reviews (project_id, id, ${ofReviews.join(', ')})
      select e.project_id, md5(e.project_id::text || b.id)::uuid, ${ofReviews.map((name) => `b.${name}`).join(', ')}
      ${from('bench_reviews b')} and b.place <= e.review_count`)
    await tx.unsafe(`insert into excerpts (project_id, review_id, id, ${ofExcerpts.join(', ')})
      select e.project_id, md5(e.project_id::text || x.review_id)::uuid, md5(e.project_id::text || x.id)::uuid,
        ${ofExcerpts.map((name) => `x.${name}`).join(', ')}
      ${from('bench_reviews b')} and b.place <= e.review_count join bench_excerpts x on x.review_id = b.id`)
  })
  await sql`analyze`
}
