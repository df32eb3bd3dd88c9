import type { Environment } from '../../src/contract/review.ts'

/** An environment of a project. */
export interface EnvironmentScope {
  projectId: string
  env: Environment
}

/** Whose excerpts are searched. */
export interface Scope extends EnvironmentScope {
  /** Vectors of another model are never compared. */
  modelId: number
}

/** The environment of a key or of a console request. */
export function environmentOf({ project, env }: { project: { id: string }; env: Environment }): EnvironmentScope {
  return { projectId: project.id, env }
}
