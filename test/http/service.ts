/** An application on a database of its own, with a search that finds nothing and a worker that does nothing. */
import type { AppDeps } from '../../server/app-deps.ts'
import { hashKey, keyHint, newApiKey } from '../../server/http/api-key.ts'
import { createKey } from '../../server/sql/access/keys.ts'
import { cursorSecret } from '../../server/sql/installation/installation.ts'
import { createProject, type Project, type ProjectSettings } from '../../server/sql/projects/projects.ts'
import type { KeyKind } from '../../src/contract/key.ts'
import type { Environment } from '../../src/contract/review.ts'
import { openTestDatabase, silent, type TestDatabase } from '../database.ts'
import { explainsNothing } from './explains-nothing.ts'

export const OPERATOR_TOKEN = 'operator-token-of-the-tests'
export const ORIGIN = 'https://www.hotel.example'

export interface TestService {
  database: TestDatabase
  deps: AppDeps
  project: Project
  keys: { secret: string; publishable: string; secretTest: string }
  makeProject(name: string, settings?: ProjectSettings): Promise<Project>
  makeKey(project: Project, kind: KeyKind, env: Environment): Promise<string>
  /** Makes every rate window end. */
  endRateWindows(): Promise<void>
  close(): Promise<void>
}

export async function openService(overrides: Partial<AppDeps> = {}): Promise<TestService> {
  const database = await openTestDatabase()
  const { sql } = database
  const makeProject = async (name: string, settings: ProjectSettings = {}) => {
    const project = await createProject(sql, { plan: 'paid', allowedOrigins: [ORIGIN], ...settings, name })
    if (typeof project === 'string') throw new Error(project)
    return project
  }
  const makeKey = async (project: Project, kind: KeyKind, env: Environment) => {
    const key = newApiKey(kind, env)
    await createKey(sql, { projectId: project.id, env, kind, keyHash: hashKey(key), hint: keyHint(key) })
    return key
  }
  const project = await makeProject('hotel')
  const keys = {
    secret: await makeKey(project, 'secret', 'live'),
    publishable: await makeKey(project, 'publishable', 'live'),
    secretTest: await makeKey(project, 'secret', 'test'),
  }
  const deps: AppDeps = {
    sql,
    search: async () => ({ ok: true, results: [], match: 'none', cache: 'MISS' }),
    explain: explainsNothing,
    insights: { nearest: async () => [], counting: true },
    doctor: async () => [],
    worker: { nudge() {}, state: () => ({ status: 'idle', indexed: 0, failed: 0 }) },
    clock: () => new Date(),
    log: silent,
    docsUrl: 'http://docs.test/docs',
    operatorToken: OPERATOR_TOKEN,
    cursorSecret: await cursorSecret(sql),
    allowance: {},
    model: { name: 'none', id: 1 },
    ...overrides,
  }
  return {
    database,
    deps,
    project,
    keys,
    makeProject,
    makeKey,
    async endRateWindows() {
      await sql`update rate_windows set started_at = now() - interval '2 minutes'`
    },
    close: () => database.close(),
  }
}

export const review = (id: string, change: object = {}) => ({
  external_id: id,
  source: 'google',
  rating: 5,
  text: `Review ${id}: the terrace at breakfast was worth the trip.`,
  author_name: 'Mara',
  occurred_at: '2026-01-05T10:00:00Z',
  ...change,
})
