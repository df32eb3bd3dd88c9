/**
 * Placement of each table when the database is distributed (Citus). Distributed tables are sharded by `project_id`,
 * colocated, so that everything of a project is on one server; reference tables are on every server; local ones stay on the
 * coordinator, which counts every request and must not ask others for that.
 */
export type Placement = 'distributed' | 'reference' | 'local'

export const DISTRIBUTION_COLUMN = 'project_id'

/** Reference tables come first, and each distributed table after those it refers to. */
export const PLACEMENTS: Readonly<Record<string, Placement>> = {
  embedding_models: 'reference',
  installation: 'reference',
  projects: 'reference',
  environments: 'distributed',
  reviews: 'distributed',
  excerpts: 'distributed',
  hidden_excerpts: 'distributed',
  index_jobs: 'distributed',
  search_changes: 'distributed',
  query_usage: 'distributed',
  query_insights: 'distributed',
  import_reports: 'distributed',
  api_keys: 'local',
  rate_windows: 'local',
  address_windows: 'local',
  console_links: 'local',
  console_sessions: 'local',
  embedding_usage: 'local',
  schema_migrations: 'local',
}

export function tablesOf(placement: Placement): string[] {
  return Object.keys(PLACEMENTS).filter((table) => PLACEMENTS[table] === placement)
}
