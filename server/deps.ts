import type postgres from 'postgres'

/**
 * A connection pool or a transaction. It is every store function's first argument and never imported: the embedded database
 * has one connection, and using the outer `sql` inside `sql.begin` would deadlock.
 */
export type Sql = postgres.Sql | postgres.TransactionSql

/** Part of a statement. */
export type Fragment = postgres.Fragment

/** The pool itself, for beginning transactions. */
export type Pool = postgres.Sql

/** The process's clock. Leases, rate windows and quotas use the database's clock instead, which all servers share. */
export type Clock = () => Date

/** The logger interface of the server (implemented by pino). Never log a key, query text or review text. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}
