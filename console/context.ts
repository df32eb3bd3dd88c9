import type { ConsoleProject } from '../src/contract/console.ts'
import type { TagDraft } from './views/tag-form.ts'

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
    drafts: Map<string, TagDraft>
  }
  /** Settings of projects that were changed and not saved, kept like `tagState`. */
  unsaved: Map<string, Partial<ProposedSettings>>
  /** The view's own parameters in the URL's fragment. */
  params: URLSearchParams
  /** Replaces them, so that a reload or the back button shows the same. */
  setParams(params: URLSearchParams): void
  /** The fragment of a view of the same project and environment, for links. */
  addressOf(path: string, params: Record<string, string>): string
  /** Aborts when the view is left. */
  signal: AbortSignal
  /** Paths of the project's routes, and of its environment's. */
  ofProject(path?: string): string
  ofEnv(path: string): string
  /** Renders the view anew, or the reason why it cannot be. */
  reload(): Promise<void>
}
