import type { ConsoleProject } from '../src/contract/console.ts'

/** The settings in the view "What appears". */
export type ProposedSettings = Pick<ConsoleProject, 'similarity_floor' | 'min_rating' | 'excerpts'>

/** What a view gets. */
export interface Context {
  project: { id: string; name: string }
  env: 'live' | 'test'
  isOperator: boolean
  /** State of the tag view, kept until the user signs out. */
  tagState: {
    /** New keys by project and environment: they cannot be fetched again. */
    keys: Map<string, string>
    /** Form values by project. */
    drafts: Map<string, { texts: string[]; boxes: boolean[] }>
  }
  /** Settings of projects that were changed and not saved, kept until the user signs out or closes the page. */
  unsaved: Map<string, Partial<ProposedSettings>>
  /** The query string in the URL's fragment. */
  params: URLSearchParams
  /** Replaces that query string, so that a reload or the back button shows the same. */
  setParams(params: URLSearchParams): void
  /** Aborts when the view is left. */
  signal: AbortSignal
  /** Paths of the project's routes, and of its environment's. */
  ofProject(path?: string): string
  ofEnv(path: string): string
  /** Renders the view anew. */
  reload(): void
}
