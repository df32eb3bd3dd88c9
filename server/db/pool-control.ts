import type { Pool } from '../deps.ts'

/** What can be done with a pool other than querying it. */
export interface PoolControl {
  /** Maximum number of connections. */
  readonly connections: number
  /**
   * Gives whatever comes next fresh connections. Running work has a second to end on its own: statements queued behind one
   * that hangs would wait as long.
   */
  renew(): void
  /** Another pool on the same database, for a caller that needs a fresh connection; the caller ends it. */
  another(): Pool
}

const controls = new WeakMap<Pool, PoolControl>()

/** @returns undefined for a pool that nobody set one for */
export function poolControl(pool: Pool): PoolControl | undefined {
  return controls.get(pool)
}

export function setPoolControl(pool: Pool, control: PoolControl): void {
  controls.set(pool, control)
}

/** Makes the control of one pool apply to another that wraps it. */
export function shareControl(from: Pool, to: Pool): Pool {
  const control = controls.get(from)
  if (control) controls.set(to, control)
  return to
}
