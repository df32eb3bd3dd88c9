import type { Sql } from '../../deps.ts'
import { isLive } from './keys.ts'

/** What of a project's policy its publishable key may tell: which reviews its pages can show. */
export interface KeyPolicy {
  minRating: number
  /** Passages that complain are left out. */
  withoutComplaints: boolean
}

/** The policy of the project that a key is of. @returns `undefined` for a key that is unknown, revoked or expired */
export async function policyOfKey(sql: Sql, keyHash: Buffer): Promise<KeyPolicy | undefined> {
  const [policy] = await sql<KeyPolicy[]>`
    select projects.min_rating as "minRating", projects.excerpts = 'no_complaints' as "withoutComplaints"
    from api_keys join projects on projects.id = api_keys.project_id
    where key_hash = ${keyHash} and ${isLive(sql)}`
  return policy
}
