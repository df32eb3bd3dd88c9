import type { Context } from './context.ts'
import { healthView } from './views/health.ts'
import { insightsView } from './views/insights.ts'
import { reviewsView } from './views/reviews.ts'
import { searchView } from './views/search.ts'
import { settingsView } from './views/settings.ts'
import { tagView } from './views/tag.ts'

export interface View {
  path: string
  name: string
  /** Fills the element; an error it throws is shown instead. */
  show(body: HTMLElement, context: Context): Promise<void> | void
}

export const VIEWS: View[] = [
  { path: 'search', name: 'Search', show: searchView },
  { path: 'asked', name: 'Asked', show: insightsView },
  { path: 'reviews', name: 'Reviews', show: reviewsView },
  { path: 'settings', name: 'What appears', show: settingsView },
  { path: 'tag', name: 'Tag', show: tagView },
  { path: 'health', name: 'Health', show: healthView },
]
