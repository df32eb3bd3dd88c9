import { randomUUID } from 'node:crypto'
import { CodedError } from '../../../src/contract/code-of.ts'
import { longTransaction } from '../../db/transaction.ts'
import type { Pool, Sql } from '../../deps.ts'
import { enqueueByStatus } from '../queue/enqueue.ts'

/** Signs list cursors; the same on every server of the installation. */
export async function cursorSecret(sql: Sql): Promise<Buffer> {
  const [row] = await sql<{ secret: Buffer }[]>`select cursor_secret as secret from installation`
  if (!row) throw new Error('The table installation has no row')
  return row.secret
}

/** The vector space used by searches, undefined before the first start. */
export async function activeModelId(sql: Sql): Promise<number | undefined> {
  const [row] = await sql<{ id: number | null }[]>`select embedding_model_id as id from installation`
  return row?.id ?? undefined
}

/** Its name, undefined before the first start. */
export async function activeModelName(sql: Sql): Promise<string | undefined> {
  const [row] = await sql<{ name: string }[]>`
    select name from installation join embedding_models m on m.id = embedding_model_id`
  return row?.name
}

/** Vector length of a registered space, for a start while its provider is unavailable. */
export async function storedDimensions(sql: Sql, name: string): Promise<number | undefined> {
  const [row] = await sql<{ dimensions: number }[]>`select dimensions from embedding_models where name = ${name}`
  return row?.dimensions
}

/** A vector space of the same name now has vectors of another length. */
export class ModelChanged extends CodedError<'model_changed'> {
  constructor(name: string, before: number, now: number) {
    super(
      'model_changed',
      // Stored vectors have a constant component more than the model's.
      `The embedding model "${name}" has ${now - 1} dimensions; this database knows it with ${before - 1}. Give the changed model another name (PULLQUOTE_EMBEDDING_MODEL) or, if its service knows only this one, another PULLQUOTE_EMBEDDING_CALIBRATION: all reviews are then embedded again.`,
    )
  }
}

/**
 * Registers a vector space and makes it the active one. If another was active, every review without excerpts of the new one
 * is queued; until its turn comes it matches no query with `q`.
 * @param options.keep leave another one active, as commands do: their settings may not be those of the servers
 * @param options.lockMs how long to wait for a lock; without a limit by default
 * @returns `reindexing`: how many reviews were queued
 * @throws {ModelChanged}
 */
export async function activateModel(
  sql: Pool,
  model: { name: string; dimensions: number },
  { keep = false, lockMs = 0 } = {},
): Promise<{ modelId: number; reindexing: number }> {
  // The usual case at a start, handled without a lock: it would span all servers of a cluster, and one may be away.
  const [active] = await sql<{ id: number }[]>`
    select m.id from installation join embedding_models m on m.id = embedding_model_id
    where m.name = ${model.name} and m.dimensions = ${model.dimensions}`
  if (active) return { modelId: active.id, reindexing: 0 }
  return longTransaction(
    sql,
    async (tx) => {
      // Servers that start concurrently wait for each other here.
      const [installation] = await tx<{ active: number | null }[]>`
        select embedding_model_id as active from installation for no key update`
      await tx`insert into embedding_models ${tx(model)} on conflict (name) do nothing`
      const [known] = await tx<{ id: number; dimensions: number }[]>`
        select id, dimensions from embedding_models where name = ${model.name}`
      if (!known) throw new Error('The embedding model was not registered')
      if (known.dimensions !== model.dimensions) throw new ModelChanged(model.name, known.dimensions, model.dimensions)
      const active = installation?.active ?? null
      if (active === known.id || (keep && active !== null)) return { modelId: known.id, reindexing: 0 }
      await tx`update installation set embedding_model_id = ${known.id}`
      return { modelId: known.id, reindexing: await queueWithout(tx, known.id) }
    },
    { lockMs },
  )
}

async function queueWithout(sql: Sql, modelId: number): Promise<number> {
  const hasExcerpts = sql`exists (
    select 1 from excerpts
    where excerpts.project_id = reviews.project_id and excerpts.review_id = reviews.id
      and embedding_model_id = ${modelId}
  )`
  // When switching back before everything was embedded with the other model, reviews that still have excerpts need not wait.
  await sql`update reviews set status = 'indexed' where status = 'indexing' and ${hasExcerpts}`
  const { count } = await sql`update reviews set status = 'indexing' where not ${hasExcerpts}`
  await enqueueByStatus(sql)
  await sql`update environments set revision = revision + 1, stamp = ${randomUUID()}`
  return count
}
