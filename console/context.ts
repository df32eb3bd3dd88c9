/** What a view is given. */
export interface Context {
  project: { id: string; name: string }
  env: 'live' | 'test'
  isOperator: boolean
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
