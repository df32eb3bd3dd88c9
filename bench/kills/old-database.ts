/** A database as the first release left it, with reviews that wait to be indexed: what a migration finds. */
import { readFile } from 'node:fs/promises'
import type { Pool } from '../../server/deps.ts'

const FIRST = '0001_init.sql'
const file = new URL(`../../server/db/migrations/${FIRST}`, import.meta.url)

export async function makeOldDatabase(sql: Pool, reviews: number): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`create extension if not exists vector`
    await tx`create table schema_migrations (
      name text primary key, applied_at timestamptz(3) not null default now())`
    await tx.unsafe(await readFile(file, 'utf8'))
    await tx`insert into schema_migrations (name) values (${FIRST})`
    const [project] = await tx<{ id: string }[]>`
      insert into projects (name, plan) values ('old', 'paid') returning id`
    const id = project?.id ?? ''
    await tx`insert into environments (project_id, env, review_count) values (${id}, 'live', ${reviews}), (${id}, 'test', 0)`
    await tx`
      insert into reviews (project_id, env, source, external_id, text, author_name, occurred_at)
      select ${id}, 'live', 'custom', 'old-' || n, 'Stay ' || n || ': the garden was quiet and breakfast came late.', 'G', now()
      from generate_series(1, ${reviews}::int) n`
    await tx`
      insert into index_jobs (project_id, review_id, text_version) select project_id, id, text_version from reviews`
  })
}

/** What is wrong with it after it was migrated and indexed; undefined when all is well. */
export async function oldDatabaseFault(sql: Pool, reviews: number): Promise<string | undefined> {
  const [found] = await sql<{ reviews: number; texts: number }[]>`
    select count(*)::int as reviews, count(distinct text)::int as texts from reviews where external_id like 'old-%'`
  if (found?.reviews === reviews && found.texts === reviews) return undefined
  return `${found?.reviews} of ${reviews} reviews are left after the migration`
}
