import { BaseCommand } from '../cli/base-command.ts'
import { checkKeyScope } from '../cli/connection/key-scope.ts'
import { clientFor, type Session } from '../cli/connection/session.ts'
import { clientFlags } from '../cli/flags.ts'
import { maskedKey } from '../cli/keys.ts'
import { oneLine } from '../cli/output/text.ts'
import { fieldLines } from '../cli/output/wrap.ts'
import { chooseProject } from '../cli/projects.ts'
import type { Connection } from '../client/connect.ts'
import { parseKey } from '../contract/key.ts'
import type { Environment } from '../contract/review.ts'

interface WhoAmI {
  server: Connection['kind']
  url: string | null
  profile: string | null
  project: string | null
  env: Environment
  /** Null when commands use the operator token. */
  key: { kind: 'secret' | 'publishable'; hint: string } | null
  operator: boolean
}

const KINDS: Record<Connection['kind'], string> = {
  remote: 'a server elsewhere',
  'local-server': 'the server on this machine',
  'in-process': 'no server is running: commands open the database themselves',
}

export default class WhoAmICommand extends BaseCommand {
  static override description =
    `Shows what a command given the same way would work on: server, profile, project, environment and key.

It asks the server, so that a key which is not accepted is told.`
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --profile production --json',
  ]
  static override flags = { ...clientFlags }

  async run(): Promise<WhoAmI> {
    const { flags } = await this.parse(WhoAmICommand)
    const answer = await this.withSession(flags, async (session): Promise<WhoAmI> => {
      const { connection, settings, operator } = session
      const url = connection.kind === 'in-process' ? null : connection.baseUrl
      const common = {
        server: connection.kind,
        url,
        profile: settings.profile ?? null,
        operator: operator !== undefined,
      }
      const given = settings.key
      if (given === undefined) {
        const project = operator ? (await chooseProject(operator, settings.project)).name : null
        return { ...common, project, env: settings.env ?? 'live', key: null }
      }
      const { env, project } = await this.scopeOf(session, given)
      const kind = parseKey(given)?.kind ?? 'secret'
      return { ...common, project, env, key: { kind, hint: given.slice(-4) } }
    })
    this.log(this.render(answer))
    return answer
  }

  private async scopeOf(session: Session, key: string) {
    const { settings, operator } = session
    const client = clientFor(session, key)
    const env = await checkKeyScope(key, settings, { client, operator })
    // A publishable key may not ask; what was named beside it was compared.
    const isSecret = parseKey(key)?.kind === 'secret'
    return { env, project: isSecret ? (await client.whoami()).project.name : (settings.project ?? null) }
  }

  private render({ server, url, profile, project, env, key, operator }: WhoAmI): string {
    const short = key && maskedKey({ ...key, env })
    const fields: [string, string][] = [
      ['server', url === null ? KINDS[server] : `${url} (${KINDS[server]})`],
      ['profile', profile ?? 'none'],
      ['project', project === null ? 'not known' : oneLine(project)],
      ['environment', env],
      ['key', short ?? (operator ? 'none: the operator token' : 'none')],
    ]
    return fieldLines(fields, this.terminal).join('\n')
  }
}
