import type postgres from 'postgres'

/**
 * A connection pool or a transaction. It is every store function's first argument and is never imported: on the
 * embedded database there is one connection, and the outer `sql` inside `sql.begin` would wait for itself.
 */
export type Sql = postgres.Sql | postgres.TransactionSql

/** A part of a statement. */
export type Fragment = postgres.Fragment

/** The pool itself, where a transaction is begun. */
export type Pool = postgres.Sql

/** The process's clock. Leases, rate windows and quotas use the database's clock instead, which all servers share. */
export type Clock = () => Date

/** The part of a logger that server code uses (pino has it). Never log a key, query text or review text. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}
