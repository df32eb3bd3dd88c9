import type { Environment } from '../../src/contract/review.ts'

/** Whose excerpts are searched. */
export interface Scope {
  projectId: string
  env: Environment
  /** Vectors of another model are never compared. */
  modelId: number
}
