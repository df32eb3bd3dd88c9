import { type Client, createClient } from '../../client/client.ts'
import { type Connection, connect } from '../../client/connect.ts'
import { ApiError } from '../../client/errors.ts'
import { createOperator, type Operator } from '../../client/operator.ts'
import { DEFAULT_RETRY, type RetryPolicy } from '../../client/retry.ts'
import { INSIGHTS_HEADER } from '../../contract/insights.ts'
import type { Project } from '../../contract/project.ts'
import type { Environment } from '../../contract/review.ts'
import { closest } from '../errors/closest.ts'
import { CliError, EXIT, usageError } from '../errors/failure.ts'
import { commandKey } from './command-key.ts'
import { checkKeyScope } from './key-scope.ts'
import type { Settings } from './settings.ts'

/** An open connection with what a command talks through. */
export interface Session {
  connection: Connection
  /** Only where an operator token is known. */
  operator: Operator | undefined
  retry: RetryPolicy
  settings: Settings
}

export interface ClientSession extends Session {
  client: Client
  /** What the client presents; for the server's own routes, which have clients of their own. */
  key: string
  env: Environment
  /** Known without a key that was given, which does not tell its project. */
  project: Project | undefined
}

/** What somebody asks at the command line is no visitor's search. */
const NOT_COUNTED = { [INSIGHTS_HEADER]: 'off' }

export async function openSession(
  settings: Settings,
  deps: { env: NodeJS.ProcessEnv; signal?: AbortSignal; onWait?: RetryPolicy['onWait']; onOpening?: () => void },
): Promise<Session> {
  const retry: RetryPolicy = { ...DEFAULT_RETRY, ...(deps.onWait ? { onWait: deps.onWait } : {}) }
  const connection = await connect(
    { ...settings, env: deps.env, ...(deps.signal ? { signal: deps.signal } : {}) },
    deps.onOpening,
  )
  const { fetch, baseUrl, operatorToken } = connection
  const operator =
    operatorToken === undefined
      ? undefined
      : createOperator({ fetch, baseUrl, operatorToken, retry, signal: deps.signal })
  return { connection, operator, retry, settings }
}

/** The operator's routes, or an explanation of what is missing. */
export function requireOperator(session: Session): Operator {
  if (session.operator) return session.operator
  const { key, profile, url } = session.settings
  const had =
    key === undefined ? '' : profile === undefined ? ', not a key' : `, and the profile "${profile}" has a key only`
  const store = `pullquote login ${profile ?? 'NAME'}-operator --url ${url ?? 'URL'} --operator-token-stdin`
  throw new CliError(`this command needs the operator token of the server${had}`, {
    code: 'operator_token_missing',
    hints: [
      'set PULLQUOTE_OPERATOR_TOKEN to the value that the server was started with',
      // On the server's machine a profile would send the command to its address as well.
      profile === undefined
        ? 'run the command on the machine where the server runs, without --url'
        : `store it: ${store}`,
    ],
    exitCode: EXIT.authentication,
  })
}

/**
 * Runs `work` with a client: for the key that was given, or for the one that the operator's commands share (which takes
 * the operator token).
 */
export async function withClient<T>(session: Session, work: (session: ClientSession) => Promise<T>): Promise<T> {
  const { connection, retry, settings } = session
  const { fetch, baseUrl } = connection
  if (settings.key !== undefined) {
    const client = createClient({ fetch, baseUrl, key: settings.key, retry, headers: NOT_COUNTED })
    return work({
      ...session,
      client,
      key: settings.key,
      env: await checkKeyScope(settings.key, settings, { client, operator: session.operator }),
      project: undefined,
    })
  }
  if (!session.operator) {
    throw new CliError(`no key for ${baseUrl}`, {
      code: 'key_missing',
      hints: ['set PULLQUOTE_KEY, give --key-stdin, or store the key with: pullquote login'],
      exitCode: EXIT.authentication,
    })
  }
  const operator = session.operator
  const env = settings.env ?? 'live'
  const project = await chooseProject(operator, settings.project)
  const url = connection.kind === 'remote' ? baseUrl : undefined
  const shared = await commandKey(operator, fetch, { home: settings.home, url, project, env })
  try {
    const client = createClient({ fetch: shared.fetch, baseUrl, key: shared.key, retry, headers: NOT_COUNTED })
    const own = { ...connection, fetch: shared.fetch }
    return await work({ ...session, connection: own, client, key: shared.key, env, project })
  } finally {
    await shared.release()
  }
}

/** The named project, or the only one there is. */
export async function chooseProject(operator: Operator, name: string | undefined): Promise<Project> {
  if (name !== undefined) return findProject(operator, name)
  const [project, ...others] = await operator.projects()
  if (!project) {
    throw new CliError('there is no project yet', { code: 'no_project', hints: ['pullquote projects create NAME'] })
  }
  if (others.length === 0) return project
  const names = [project, ...others].map((one) => one.name)
  throw usageError('there are several projects: name one with --project', `there are: ${names.join(', ')}`)
}

/** The project of that name or id, or what may have been meant. */
export async function findProject(operator: Operator, name: string): Promise<Project> {
  try {
    return await operator.project(name)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error
    const names = (await operator.projects()).map((project) => project.name)
    const near = closest(name, names)
    const hint =
      near !== undefined
        ? `did you mean "${near}"?`
        : names.length > 0
          ? `there are: ${names.join(', ')}`
          : 'make it with: pullquote projects create NAME'
    throw new CliError(`there is no project "${name}"`, { code: 'not_found', hints: [hint] })
  }
}
