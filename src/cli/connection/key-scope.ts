import type { Client } from '../../client/client.ts'
import type { Operator } from '../../client/operator.ts'
import { ignoreCodes } from '../../contract/code-of.ts'
import type { ListedKey } from '../../contract/key.ts'
import { parseKey } from '../../contract/key.ts'
import type { Environment } from '../../contract/review.ts'
import { CliError, EXIT, usageError } from '../errors/cli-error.ts'
import type { Settings } from './settings.ts'

/**
 * A key determines its project and environment. A project or environment named as well must match it, since an answer
 * for another one would mislead.
 *
 * @returns the key's environment
 * @throws {CliError} `unauthorized` when it is not a key; usage when the two disagree, or when that cannot be determined
 */
export async function checkKeyScope(
  key: string,
  settings: Settings,
  deps: { client: Pick<Client, 'whoami'>; operator: Pick<Operator, 'keys'> | undefined },
): Promise<Environment> {
  const parsed = parseKey(key)
  if (!parsed) {
    throw new CliError(
      'the key is not valid: it must have 44 characters and look like svc_sk_live_… or svc_pk_test_…',
      {
        code: 'unauthorized',
        hints: ['check --key, PULLQUOTE_KEY or the profile: a part may be missing'],
        exitCode: EXIT.authentication,
      },
    )
  }
  const { env, envFrom = '--env', project, projectFrom = '--project' } = settings
  if (env !== undefined && env !== parsed.env) {
    throw usageError(
      `the key belongs to the environment ${parsed.env}, but ${envFrom} says ${env}`,
      `leave ${envFrom} out, or use a key of that environment`,
    )
  }
  if (project === undefined) return parsed.env
  const of = parsed.kind === 'secret' ? await projectOf(deps.client) : await publishableProjectOf(key, project, deps)
  if (of === undefined) {
    throw usageError(
      `${projectFrom} names ${project}, but it cannot be checked here which project the key belongs to`,
      `leave ${projectFrom} out: the key decides`,
    )
  }
  // With composed or decomposed accents, as for the server.
  if (of.name.normalize() === project.normalize() || of.id === project) return parsed.env
  throw usageError(
    `the key belongs to the project ${of.name}, but ${projectFrom} says ${project}`,
    `leave ${projectFrom} out, or use a key of that project`,
  )
}

interface NamedProject {
  name: string
  id?: string
}

/** @returns undefined when the server has no such route */
async function projectOf(client: Pick<Client, 'whoami'>): Promise<NamedProject | undefined> {
  const me = await client.whoami().catch(ignoreCodes('not_found', 'unexpected_answer'))
  return me?.project
}

/** A publishable key may only query, so it is looked up by its last characters in the operator's list of keys. */
async function publishableProjectOf(
  key: string,
  named: string,
  { operator }: { operator: Pick<Operator, 'keys'> | undefined },
): Promise<NamedProject | undefined> {
  if (!operator) return undefined
  const form = parseKey(key)
  const isIt = (one: ListedKey) =>
    one.kind === form?.kind && one.env === form.env && key.endsWith(one.hint) && one.revoked_at === null
  if ((await operator.keys(named)).some(isIt)) return { name: named }
  const other = (await operator.keys()).find(isIt)
  return other && { name: other.project }
}
