import { createHash, randomBytes } from 'node:crypto'
import type { Pool, Sql } from '../../server/deps.ts'
import type { AcceptRow } from '../../server/ingest/accept.ts'
import { createProject, type Project, type ProjectSettings } from '../../server/sql/projects/projects.ts'
import type { ReviewInput } from '../../src/contract/review.ts'

/** A fresh project; paid by default, so that a test may make several. */
export async function makeProject(sql: Pool, settings: Partial<ProjectSettings> = {}): Promise<Project> {
  const { name = `Inn ${randomBytes(4).toString('hex')}` } = settings
  const project = await createProject(sql, { plan: 'paid', ...settings, name })
  if (typeof project === 'string') throw new Error(project)
  return project
}

export function review(external_id: string, fields: Partial<AcceptRow> = {}): AcceptRow {
  const input: ReviewInput = {
    external_id,
    source: 'google',
    rating: 5,
    text: `The rooms were quiet and the breakfast was generous. (${external_id})`,
    author_name: 'Mara Vogel',
    occurred_at: new Date('2026-03-01T10:00:00.000Z'),
  }
  return { ...input, ...fields }
}

export function sha256(value: string): Buffer {
  return createHash('sha256').update(value).digest()
}

/** Makes reviews look indexed, one excerpt of the whole text each, as the pipeline would leave them. */
export async function markIndexed(sql: Sql, projectId: string): Promise<void> {
  await sql`insert into embedding_models (name, dimensions) values ('test', 3) on conflict do nothing`
  await sql`
    insert into excerpts (
      project_id, review_id, ordinal, id, env, start_offset, end_offset, text, search_config, lexemes,
      embedding_model_id, embedding, rating, sentiment, hidden, source, occurred_at
    )
    select project_id, id, 0, gen_random_uuid(), env, 0, length(text), text, 'english', excerpt_lexemes('english', text),
      (select id from embedding_models where name = 'test'), '[1,0,0]', rating, sentiment, hidden_at is not null, source,
      occurred_at
    from reviews where project_id = ${projectId}
    on conflict do nothing`
  await sql`
    update reviews set status = 'indexed', sentiment = coalesce(sentiment, 'neutral'),
      sentiment_source = coalesce(sentiment_source, 'model')
    where project_id = ${projectId}`
  await sql`delete from index_jobs where project_id = ${projectId}`
}

export async function revisionOf(sql: Pool, projectId: string, env: 'live' | 'test' = 'live'): Promise<number> {
  const [row] = await sql`select revision from environments where project_id = ${projectId} and env = ${env}`
  return Number(row?.revision)
}
