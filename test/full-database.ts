import type { Sql } from '../server/deps.ts'
import type { suite } from './suite.ts'

/** For tests that use {@link fillUp}, skipped on Citus, which refuses triggers on distributed tables. */
export function triggersOf(test: ReturnType<typeof suite>) {
  return (title: string, body: () => Promise<void>) =>
    process.env.PULLQUOTE_TEST_DATABASE === 'citus' ? test.skip(title, 'Citus refuses triggers') : test(title, body)
}

/** From now on an insert into the table fails as on a full disk (SQLSTATE 53100). */
export async function fillUp(sql: Sql, table: 'reviews' | 'excerpts'): Promise<void> {
  await sql.unsafe(`
    create function no_room() returns trigger language plpgsql as $$
      begin raise 'could not extend file' using errcode = '53100'; end $$;
    create trigger no_room before insert on ${table} for each statement execute function no_room()`)
}

/** Ends {@link fillUp}. */
export async function makeRoom(sql: Sql, table: 'reviews' | 'excerpts'): Promise<void> {
  await sql.unsafe(`drop trigger no_room on ${table}; drop function no_room`)
}
