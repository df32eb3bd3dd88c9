import { isDeepStrictEqual } from 'node:util'
import { defined } from '../../../src/contract/defined.ts'
import {
  DEFAULT_MIN_RATING,
  DEFAULT_SIMILARITY_FLOOR,
  PLAN_LIMITS,
  type Plan,
  PROJECT_ORIGINS,
} from '../../../src/contract/limits.ts'
import { isStorable } from '../../../src/contract/text.ts'
import { transaction } from '../../db/transaction.ts'
import type { Pool, Sql } from '../../deps.ts'
import { bumpRevision } from '../excerpts/search-changes.ts'
import type { ListPage } from '../list-page.ts'
import { normalForms } from '../normal-forms.ts'
import { isUuid } from '../uuid.ts'

export interface Project {
  id: string
  name: string
  plan: Plan
  /** Minimum cosine of a relevant excerpt. */
  similarityFloor: number
  minRating: number
  /** `no_complaints`: excerpts that are negative on their own do not appear. */
  excerpts: 'all' | 'no_complaints'
  /** Whole origins (scheme, host, port) that may use the project's publishable keys. */
  allowedOrigins: string[]
  /** Incremented with every change of the settings. */
  settingsRevision: number
  createdAt: Date
}

/** Settings of a project; those left out keep their value, or the default in a new one. */
export type ProjectSettings = {
  [K in Exclude<keyof Project, 'id' | 'createdAt' | 'settingsRevision'>]?: Project[K] | undefined
}

/** Origins that are added or removed go by those stored at that moment, since another change may come between. */
export type SettingsChange = ProjectSettings & {
  addOrigins?: readonly string[] | undefined
  removeOrigins?: readonly string[] | undefined
}

/** The settings on which the results of searches depend. */
const SEARCHED_BY = ['similarityFloor', 'minRating', 'excerpts'] as const

const DEFAULTS = { similarity_floor: DEFAULT_SIMILARITY_FLOOR, min_rating: DEFAULT_MIN_RATING }

/** For a query with `projects` in its `from`. */
export function projectColumns(sql: Sql) {
  return sql`projects.id, projects.name, projects.plan, projects.similarity_floor as "similarityFloor",
    projects.min_rating as "minRating", projects.excerpts, projects.allowed_origins as "allowedOrigins",
    projects.settings_revision as "settingsRevision", projects.created_at as "createdAt"`
}

/**
 * @param max projects of the installation; default: according to the plans
 * @returns `project_limit` when the installation has as many projects as the best plan, the new one's included, allows;
 * `free_project_limit` when all of them are free
 */
export async function createProject(
  sql: Pool,
  settings: ProjectSettings & { name: string },
  max?: number,
): Promise<Project | 'name_taken' | 'project_limit' | 'free_project_limit'> {
  return transaction(sql, async (tx) => {
    // Concurrent creations wait for each other, so that the limit is exact.
    await tx`select 1 from installation for no key update`
    const existing = await tx<{ name: string; plan: Plan }[]>`select name, plan from projects where deleted_at is null`
    if (await isTaken(tx, settings.name)) return 'name_taken'
    const plan = settings.plan ?? 'free'
    const plans = [...existing.map((project) => project.plan), plan]
    const limit = max ?? Math.max(...plans.map((plan) => PLAN_LIMITS[plan].projects))
    if (existing.length >= limit)
      return max === undefined && !plans.includes('paid') ? 'free_project_limit' : 'project_limit'
    const [project] = await tx<Project[]>`
      insert into projects ${tx({ ...DEFAULTS, ...columnsOf(settings) })} returning ${projectColumns(tx)}`
    if (!project) throw new Error('The new project was not returned')
    await tx`insert into environments (project_id, env) values (${project.id}, 'live'), (${project.id}, 'test')`
    return project
  })
}

/**
 * Whether another project than `self` is found by this text: no two differ by composed and decomposed accents alone, and one
 * with the id of another as its name could be neither changed nor deleted by it.
 */
async function isTaken(sql: Sql, name: string, self?: string): Promise<boolean> {
  const others = await sql`
    select from projects where (name = any (${normalForms(name)}::text[]) ${isUuid(name) ? sql`or id = ${name}` : sql``})
      and id is distinct from ${self ?? null} and deleted_at is null`
  return others.length > 0
}

/** Projects, oldest first; default all. */
export async function listProjects(sql: Sql, { limit, after }: ListPage = {}): Promise<Project[]> {
  const rows = await sql<Project[]>`
    select ${projectColumns(sql)} from projects
    where deleted_at is null ${after ? sql`and (created_at, id) > (${after.at}, ${after.id})` : sql``}
    order by created_at, id limit ${limit ?? null}`
  return [...rows]
}

/** A project by id, which nobody chooses, or else by name. Blanks around it count as little as in a new name. */
export async function getProject(sql: Sql, nameOrId: string): Promise<Project | undefined> {
  const name = nameOrId.trim()
  // No project has such a name, and PostgreSQL rejects it as a parameter.
  if (!isStorable(name)) return undefined
  const [project] = await sql<Project[]>`
    select ${projectColumns(sql)} from projects
    where (name = any (${normalForms(name)}::text[]) ${isUuid(name) ? sql`or id = ${name}` : sql``}) and deleted_at is null
    order by ${isUuid(name) ? sql`id = ${name} desc,` : sql``} name = ${name} desc limit 1`
  return project
}

/** A project by id only. */
export async function getProjectById(sql: Sql, id: string): Promise<Project | undefined> {
  if (!isUuid(id)) return undefined
  const [project] = await sql<
    Project[]
  >`select ${projectColumns(sql)} from projects where id = ${id} and deleted_at is null`
  return project
}

/**
 * Changes settings. A change that affects searches invalidates the caches of both environments; settings that are set to what
 * they are change nothing.
 * @param expected the revision that the change is based on; not checked by default
 * @returns `changed` when the settings have another revision by now
 */
export async function updateProject(
  sql: Pool,
  id: string,
  { addOrigins, removeOrigins, ...patch }: SettingsChange,
  expected?: number,
): Promise<Project | 'name_taken' | 'too_many_origins' | 'changed' | undefined> {
  if (!isUuid(id)) return undefined
  return transaction(sql, async (tx) => {
    await tx`select 1 from installation for no key update`
    const [before] = await tx<Project[]>`
      select ${projectColumns(tx)} from projects where id = ${id} and deleted_at is null for no key update`
    if (before && expected !== undefined && before.settingsRevision !== expected) return 'changed'
    if (!before) return undefined
    const allowedOrigins = originsAfter(patch.allowedOrigins, before.allowedOrigins, { addOrigins, removeOrigins })
    if ((allowedOrigins?.length ?? 0) > PROJECT_ORIGINS) return 'too_many_origins'
    const settings = defined({ ...patch, allowedOrigins })
    if (isDeepStrictEqual({ ...before, ...settings }, before)) return before
    if (patch.name !== undefined && (await isTaken(tx, patch.name, id))) return 'name_taken'
    const [after] = await tx<Project[]>`
      update projects set ${tx(columnsOf(settings))}, settings_revision = settings_revision + 1, updated_at = now() where id = ${id} returning ${projectColumns(tx)}`
    if (after && SEARCHED_BY.some((setting) => after[setting] !== before[setting]))
      for (const env of ['live', 'test'] as const) await bumpRevision(tx, { projectId: id, env }, [])
    return after
  })
}

/** @returns undefined when the change is not about origins */
function originsAfter(
  replaced: string[] | undefined,
  stored: string[],
  { addOrigins, removeOrigins }: Pick<SettingsChange, 'addOrigins' | 'removeOrigins'>,
): string[] | undefined {
  if (addOrigins === undefined && removeOrigins === undefined) return replaced
  const kept = (replaced ?? stored).filter((origin) => !removeOrigins?.includes(origin))
  return [...new Set([...kept, ...(addOrigins ?? [])])]
}

function columnsOf({ similarityFloor, minRating, allowedOrigins, ...rest }: ProjectSettings) {
  return defined({
    ...rest,
    similarity_floor: similarityFloor,
    min_rating: minRating,
    allowed_origins: allowedOrigins,
  })
}
