import type { Context } from './main.ts'
import { healthView } from './views/health.ts'

export interface View {
  path: string
  name: string
  /** Fills the element; what it throws is shown in its place. */
  show(body: HTMLElement, context: Context): Promise<void> | void
}

export const VIEWS: View[] = [{ path: 'health', name: 'Health', show: healthView }]
