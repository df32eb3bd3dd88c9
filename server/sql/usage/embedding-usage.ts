import type { Sql } from '../../deps.ts'

/** Texts taken from a day's allowance, to be refunded to that day when they are not embedded. */
export interface Reservation {
  day: string
  texts: number
}

/**
 * Takes up to `wanted` texts from today's allowance, in one statement, so that servers never take the same ones. The day is
 * the database's, in UTC.
 * @param limit the daily allowance; without one all are granted, and only counted
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

/** Refunds texts that were not embedded. */
export async function refundTexts(sql: Sql, { day, texts }: Reservation): Promise<void> {
  if (texts === 0) return
  await sql`update embedding_usage set texts = greatest(0, texts - ${texts}) where day = ${day}::text::date`
}

/** Texts embedded today, and the seconds until tomorrow, by the database's clock. */
export async function dayUsage(sql: Sql): Promise<{ texts: number; secondsToRenewal: number }> {
  const [row] = await sql<{ texts: string; seconds: number }[]>`
    select coalesce((select texts from embedding_usage where day = (now() at time zone 'utc')::date), 0) as texts,
      extract(epoch from date_trunc('day', now() at time zone 'utc') + interval '1 day' - (now() at time zone 'utc'))::float8
        as seconds`
  return { texts: Number(row?.texts ?? 0), secondsToRenewal: row?.seconds ?? 0 }
}
