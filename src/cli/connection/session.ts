import { type Client, createClient } from '../../client/client.ts'
import type { Connection } from '../../client/connect.ts'
import { createOperator, type Operator } from '../../client/operator.ts'
import { DEFAULT_RETRY, type RetryPolicy } from '../../client/retry.ts'
import { INSIGHTS_HEADER } from '../../contract/insights.ts'
import type { Project } from '../../contract/project.ts'
import type { Environment } from '../../contract/review.ts'
import { CliError, EXIT } from '../errors/cli-error.ts'
import { chooseProject } from '../projects.ts'
import { type CommandKey, commandKey } from './command-key.ts'
import { checkKeyScope } from './key-scope.ts'
import type { Settings } from './settings.ts'

/** An open connection and the clients that a command uses over it. */
export interface Session {
  connection: Connection
  /** Undefined unless an operator token is known. */
  operator: Operator | undefined
  retry: RetryPolicy
  settings: Settings
  /** Aborts on Ctrl-C. */
  signal: AbortSignal | undefined
}

export interface ClientSession extends Session {
  client: Client
  env: Environment
  /** Undefined when a key was given: the key alone does not tell its project. */
  project: Project | undefined
}

/** Queries from the command line are not visitors' searches. */
const NOT_COUNTED = { [INSIGHTS_HEADER]: 'off' }

interface SessionDeps {
  signal?: AbortSignal
  notices?: Pick<RetryPolicy, 'onWait' | 'onSilence'>
}

/** Creates a session over an open connection, with the operator's routes only when the token is known. */
export function createSession(
  connection: Connection,
  settings: Settings,
  { signal, notices }: SessionDeps = {},
): Session {
  const retry: RetryPolicy = { ...DEFAULT_RETRY, ...notices }
  const { operatorToken } = connection
  const operator =
    operatorToken === undefined ? undefined : createOperator({ ...connection, operatorToken, retry, signal })
  return { connection, operator, retry, settings, signal }
}

/** How a session reaches its server, as printed by `--json`. */
export function serverOf({ connection: { kind, baseUrl }, settings }: Session) {
  return { server: kind, url: kind === 'in-process' ? null : baseUrl, profile: settings.profile ?? null }
}
export type ServerInUse = ReturnType<typeof serverOf>

/** The operator's routes. @throws {CliError} `operator_token_missing`, with what to do */
export function requireOperator(session: Session): Operator {
  if (session.operator) return session.operator
  const { key, profile, url } = session.settings
  const had =
    key === undefined ? '' : profile === undefined ? ', not a key' : `, and the profile "${profile}" only has a key`
  const store = `pullquote login ${profile ?? 'NAME'}-operator --url ${url ?? 'URL'} --operator-token-stdin`
  throw new CliError(`this command needs the operator token of the server${had}`, {
    code: 'operator_token_missing',
    hints: [
      'set PULLQUOTE_OPERATOR_TOKEN to the value that the server was started with',
      // With a profile the command would go to its address even on the server's machine.
      profile === undefined
        ? 'run the command on the machine where the server runs, without --url'
        : `store it: ${store}`,
    ],
    exitCode: EXIT.authentication,
  })
}

/** Creates a client for a key; its queries are not counted as visitors' searches. */
export function clientFor({ connection, retry, signal }: Session, key: string, renew?: CommandKey['renew']): Client {
  return createClient({ ...connection, key, renew, retry, signal, headers: NOT_COUNTED })
}

/**
 * Runs `work` with a client: for the given key, or else for the one shared by the operator's commands (see
 * {@link commandKey}).
 *
 * @throws {CliError} `key_missing` when there is neither a key nor an operator token
 */
export async function withClient<T>(session: Session, work: (session: ClientSession) => Promise<T>): Promise<T> {
  const { connection, operator, settings } = session
  if (settings.key !== undefined) {
    const { key } = settings
    const client = clientFor(session, key)
    const env = await checkKeyScope(key, settings, { client, operator })
    return work({ ...session, client, env, project: undefined })
  }
  if (!operator) {
    throw new CliError(`no key for ${connection.baseUrl}`, {
      code: 'key_missing',
      hints: ['set PULLQUOTE_KEY, use --key-stdin, or store the key with: pullquote login'],
      exitCode: EXIT.authentication,
    })
  }
  const env = settings.env ?? 'live'
  const project = await chooseProject(operator, settings.project)
  const url = connection.kind === 'remote' ? connection.baseUrl : undefined
  const { key, renew, release } = await commandKey(operator, { home: settings.home, url, project, env })
  try {
    return await work({ ...session, client: clientFor(session, key, renew), env, project })
  } finally {
    await release()
  }
}
