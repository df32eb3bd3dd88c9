/** What a view is given. */
export interface Context {
  project: { id: string; name: string }
  env: 'live' | 'test'
  isOperator: boolean
  /** What was made and chosen on the tag's page since somebody signed in: who comes back to it finds it, the next one does not. */
  kept: {
    /** By project and environment: nothing else can show them again. */
    keys: Map<string, string>
    /** By project. */
    drafts: Map<string, { texts: string[]; boxes: boolean[] }>
  }
  /** What stands behind the `?` of the address. */
  params: URLSearchParams
  /** Puts what is shown into the address, behind its `?`, for a reload and a way back. */
  keep(params: URLSearchParams): void
  /** Fires when the view is left. */
  signal: AbortSignal
  /** Path of the project's routes, and of its environment's. */
  ofProject(path?: string): string
  ofEnv(path: string): string
  /** Shows the view again. */
  reload(): void
}
