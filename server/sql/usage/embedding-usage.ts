import type { Sql } from '../../deps.ts'

/** What the operator grants the pipeline; absent means without limit. */
export interface Allowance {
  /** Texts embedded for reviews in a UTC day, by all servers together. */
  dailyEmbeddings?: number | undefined
  /** Reviews that may wait; past it a push is told that its reviews are indexed later. */
  queueDepth?: number | undefined
}

/** Texts taken from a day's allowance, to be given back to the same day when they are not embedded. */
export interface Reservation {
  day: string
  texts: number
}

/**
 * Takes up to `wanted` texts from today's allowance, in one statement, so that servers never take the same ones. The
 * day is the database's, in UTC.
 *
 * @param limit the daily allowance; absent: all are granted, and only counted
 */
export async function reserveTexts(sql: Sql, wanted: number, limit?: number): Promise<Reservation> {
  const take = () => sql<{ day: string; granted: string }[]>`
    with today as (
      select day, case when ${limit ?? null}::bigint is null then ${wanted}::bigint
        else greatest(0, least(${wanted}::bigint, ${limit ?? null}::bigint - texts)) end as granted
      from embedding_usage where day = (now() at time zone 'utc')::date
      for no key update
    )
    update embedding_usage u set texts = u.texts + today.granted from today where u.day = today.day
    returning u.day::text as day, today.granted`
  let [row] = await take()
  if (!row) {
    await sql`insert into embedding_usage (day, texts) values ((now() at time zone 'utc')::date, 0) on conflict do nothing`
    row = (await take())[0]
  }
  return { day: row?.day ?? '', texts: Number(row?.granted ?? 0) }
}

/** Gives back texts that were not embedded. */
export async function refundTexts(sql: Sql, { day, texts }: Reservation): Promise<void> {
  if (texts === 0) return
  await sql`update embedding_usage set texts = greatest(0, texts - ${texts}) where day = ${day}::text::date`
}

export interface DayUsage {
  texts: number
  secondsToRenewal: number
}

/** Texts embedded today and how long today lasts, by the database's clock. */
export async function dayUsage(sql: Sql): Promise<DayUsage> {
  const [row] = await sql<{ texts: string; seconds: number }[]>`
    select coalesce((select texts from embedding_usage where day = (now() at time zone 'utc')::date), 0) as texts,
      extract(epoch from date_trunc('day', now() at time zone 'utc') + interval '1 day' - (now() at time zone 'utc'))::float8
        as seconds`
  return { texts: Number(row?.texts ?? 0), secondsToRenewal: row?.seconds ?? 0 }
}

/**
 * Whether `added` reviews, queued just before in the same transaction, will be indexed later than "within seconds": the
 * queue is past its depth with them, or today's allowance is spent before their turn. A review counts as one text here,
 * since its excerpts are not known yet.
 */
export async function isDeferred(sql: Sql, allowance: Allowance, added: number): Promise<boolean> {
  const { dailyEmbeddings, queueDepth } = allowance
  if (added === 0 || (dailyEmbeddings === undefined && queueDepth === undefined)) return false
  // Counting further than the larger limit would only cost time.
  const enough = Math.max(dailyEmbeddings ?? 0, queueDepth ?? 0) + 1
  const [row] = await sql<{ queued: number; untaken: number; texts: string }[]>`
    select count(*)::int as queued, (count(*) filter (where leased_until is null or leased_until < now()))::int as untaken,
      coalesce((select texts from embedding_usage where day = (now() at time zone 'utc')::date), 0) as texts
    from (select leased_until from index_jobs where set_aside_at is null limit ${enough}) j`
  if (!row) return false
  if (queueDepth !== undefined && row.queued > queueDepth) return true
  // Claimed reviews have taken their texts from the allowance already.
  return dailyEmbeddings !== undefined && Number(row.texts) + row.untaken > dailyEmbeddings
}
